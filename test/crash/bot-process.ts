import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { BugName } from "./planted.ts";
import { isPoint, type PointName } from "./points.ts";
import { HIT, STRIKE_VARIABLE, type Strike, written } from "./trigger.ts";

/** A bot in a separate process. */
export interface BotProcess {
  /** Address of the bot's webhook, once it listens; undefined if the process ended before. */
  readonly listening: Promise<string | undefined>;
  /** Whether the platform delivers to the bot; false if the process ended before. */
  readonly ready: Promise<boolean>;
  readonly ended: Promise<Ending>;
  /** Kills the process with `kill -9`. */
  kill(): void;
  /** Log of the process so far. */
  log(): string;
}

/**
 * End of a process: `point` if it killed itself at a kill point (a named place in its code), `fault` with the last log
 * lines if it ended unexpectedly, neither if another process killed it.
 */
export interface Ending {
  readonly point?: PointName;
  readonly fault?: string;
}

export interface BotProcessOptions {
  readonly folder: string;
  /** Arguments of `node`: the program, with the flags that it needs. */
  readonly command: readonly string[];
  readonly strike?: Strike | undefined;
  readonly bug?: BugName | undefined;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

const LOG_SHOWN = 4_000;

/** Starts the bot of a folder. */
export function startBot({ folder, command, strike, bug, env }: BotProcessOptions): BotProcess {
  const child = spawn(process.execPath, [...command, folder], {
    env: {
      PATH: process.env["PATH"],
      ...env,
      ...(strike && { [STRIKE_VARIABLE]: written(strike) }),
      ...(bug && { CRASH_BUG: bug }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const lines = linesOf(child);
  const ended = new Promise<Ending>((resolve) => {
    child.once("close", (_code, signal) => {
      lines.end();
      const point = lines.after(HIT)?.trim() ?? "";
      if (signal !== "SIGKILL") resolve({ fault: log.slice(-LOG_SHOWN) });
      else resolve(isPoint(point) ? { point } : {});
    });
  });
  return {
    listening: lines.first("listening "),
    ready: lines.first("ready").then((line) => line !== undefined),
    ended,
    kill: () => void child.kill("SIGKILL"),
    log: () => log,
  };
}

function linesOf(child: ChildProcess & { readonly stdout: NodeJS.ReadableStream }) {
  const seen: string[] = [];
  const waiting: { readonly start: string; readonly resolve: (rest?: string) => void }[] = [];
  const after = (start: string): string | undefined =>
    seen.find((line) => line.startsWith(start))?.slice(start.length);
  createInterface(child.stdout).on("line", (line) => {
    seen.push(line);
    for (const { start, resolve } of waiting) if (line.startsWith(start)) resolve(after(start));
  });
  return {
    after,
    first: (start: string) =>
      new Promise<string | undefined>((resolve) => waiting.push({ start, resolve })),
    end: () => {
      for (const { resolve } of waiting) resolve();
    },
  };
}
