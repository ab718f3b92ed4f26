import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { RuntimeStatus } from "../runtime/control/server.ts";
import { Ended, type ExitCode } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import type { SettingsFlags } from "./settings-flags.ts";

/** The line that `run --json` prints once it is ready. */
export interface ReadyLine {
  readonly event: "ready";
  readonly control_url: string;
  readonly status: RuntimeStatus;
}

export interface SuperviseOptions {
  readonly io: Io;
  readonly flags: SettingsFlags & { readonly logLevel: string };
  /** Where the webhook listens, as `host:port`. */
  readonly listen: string;
}

export interface SupervisedRuntime {
  /** What the first start said. */
  readonly ready: ReadyLine;
  /** Lets it finish what is under way, then ends it. */
  stop(): Promise<void>;
}

const RESTART_MS = 500;

/**
 * Runs `answerback run` as a process of its own, and starts it again when it dies: what it had
 * acknowledged is on disk, and goes on.
 *
 * @throws {Ended} when it can't start; it has said why.
 */
export async function superviseRuntime(options: SuperviseOptions): Promise<SupervisedRuntime> {
  let stopping = false;
  let child = start(options);
  const ready = await readyLine(child);

  const watch = (watched: ChildProcess): void => {
    watched.once("exit", (code, signal) => {
      if (stopping) return;
      options.io.err(`The bot's process ended (${signal ?? code}); starting it again.\n`);
      setTimeout(() => {
        if (stopping) return;
        child = start(options);
        watch(child);
      }, RESTART_MS);
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

function start({ io, flags, listen }: SuperviseOptions): ChildProcess {
  const bin = fileURLToPath(
    import.meta.resolve(import.meta.url.endsWith(".ts") ? "./bin.ts" : "./bin.js"),
  );
  const args = ["run", "--json", "--log-level", flags.logLevel];
  if (flags.config !== undefined) args.push("--config", flags.config);
  if (flags.data !== undefined) args.push("--data", flags.data);
  return spawn(process.execPath, [...process.execArgv, bin, ...args], {
    cwd: io.cwd,
    env: { ...io.env, ANSWERBACK_WEBHOOK_LISTEN: listen },
    stdio: ["ignore", "pipe", "inherit"],
    // Ctrl-C reaches the whole process group; the bot is told by its parent, once.
    detached: true,
  });
}

function readyLine(child: ChildProcess): Promise<ReadyLine> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Ended(exitCode(code))));
    if (child.stdout === null) return;
    createInterface(child.stdout).once("line", (line) => {
      const ready: ReadyLine = JSON.parse(line);
      resolve(ready);
    });
  });
}

function exitCode(code: number | null): ExitCode {
  return code === 2 || code === 3 || code === 4 || code === 5 ? code : 1;
}
