import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { RELOAD_STAGE } from "../../runtime/log.ts";
import type { RuntimeStatus } from "../../runtime/vocabulary.ts";
import { EXIT, ExitError, type ExitCode } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { formatJsonError } from "../output/error-text.ts";
import { formatLogLine, LEVELS, readLogLine } from "../logs/log-line.ts";
import type { SettingsFlags } from "../arguments/settings-flags.ts";
import { visible } from "../../text/unseen.ts";
import { ownProgram } from "./own-program.ts";

/** Line that `run --json` prints when the bot is ready. */
export interface ReadyLine {
  readonly event: "ready";
  readonly control_url: string;
  readonly status: RuntimeStatus;
}

export interface SuperviseOptions {
  readonly io: Io;
  readonly flags: SettingsFlags & { readonly logLevel: string };
  /** Address of the webhook as `host:port`. */
  readonly listen: string;
  /** Address of the console as `host:port`. */
  readonly console: string;
  /** File for the bot's log, independent of the terminal's log level. */
  readonly logFile: string;
  /** Store to use instead of the store in the settings. */
  readonly store?: string;
  /** Called each time the bot is ready again after a restart. */
  readonly onRestarted?: () => void;
}

export interface SupervisedRuntime {
  /** Line that the bot's first process printed when it was ready. */
  readonly ready: ReadyLine;
  /** Stops the bot gracefully. */
  stop(): Promise<void>;
}

/** Pause in milliseconds before the first restart; doubled after each failed start, up to MAX_PAUSE_MS. */
const RESTART_MS = 500;
const MAX_PAUSE_MS = 30_000;

/**
 * Runs `answerback run` as a child process, and restarts it when it dies. Acknowledged events are on disk and are
 * processed after the restart.
 *
 * @throws {ExitError} if the first start fails; the child process has printed the reason.
 */
export async function superviseRuntime(options: SuperviseOptions): Promise<SupervisedRuntime> {
  let stopping = false;
  let child = start(options);
  const ready = await readyLine(child);

  let pauseMs = RESTART_MS;
  const watch = (watched: ChildProcess): void => {
    watched.once("exit", (code, signal) => {
      if (stopping) return;
      options.io.err(`The bot's process ended (${signal ?? code}); starting it again.\n`);
      setTimeout(() => {
        if (stopping) return;
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
        child = start(options);
        readyLine(child).then(
          () => {
            pauseMs = RESTART_MS;
            return options.onRestarted?.();
          },
          // The process has printed the reason on stderr, and its exit event is handled above.
          () => undefined,
        );
        watch(child);
      }, pauseMs);
    });
  };
  watch(child);

  return {
    ready,
    async stop() {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
    },
  };
}

function start({ io, flags, listen, console, logFile, store }: SuperviseOptions): ChildProcess {
  const { logLevel } = flags;
  // log at least `info`, because messages about reloads are shown at any level
  const processLogLevel = ["warn", "error"].includes(logLevel) ? "info" : logLevel;
  const args = ["run", "--json", "--log-level", processLogLevel, "--log-file", logFile];
  if (flags.config !== undefined) args.push("--config", flags.config);
  if (flags.data !== undefined) args.push("--data", flags.data);
  const child = spawn(process.execPath, [...ownProgram(), ...args], {
    cwd: io.cwd,
    env: {
      ...io.env,
      ANSWERBACK_WEBHOOK_LISTEN: listen,
      ANSWERBACK_CONSOLE_LISTEN: console,
      ...(store !== undefined && { ANSWERBACK_STORE: store }),
    },
    // When this process ends, the channel closes and the bot ends too.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Ctrl-C signals the whole process group. Detached, the bot gets a single signal from its parent.
    detached: true,
  });
  if (child.stderr !== null) {
    createInterface(child.stderr).on("line", (line) => {
      if (!isShown(line, logLevel)) return;
      io.err(
        `${formatLogLine(line, io.colors) ?? formatJsonError(line, io.colors) ?? visible(line)}\n`,
      );
    });
  }
  return child;
}

/** Whether to show a line: text outside the log, lines of the wanted level, and lines about a reload. */
function isShown(text: string, least: string): boolean {
  const line = readLogLine(text);
  if (line === undefined || line["stage"] === RELOAD_STAGE) return true;
  const names = Object.entries(LEVELS).find(([, name]) => name === least);
  return names === undefined || line.level >= Number(names[0]);
}

function readyLine(child: ChildProcess): Promise<ReadyLine> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new ExitError(exitCode(code))));
    if (child.stdout === null) return;
    createInterface(child.stdout).once("line", (line) => {
      const ready: ReadyLine = JSON.parse(line);
      resolve(ready);
    });
  });
}

function exitCode(code: number | null): ExitCode {
  return (
    Object.values(EXIT).find((knownCode) => knownCode === code && knownCode !== EXIT.ok) ??
    EXIT.failure
  );
}
