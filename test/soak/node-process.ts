import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A program of a soak, in a separate process. */
export interface NodeProcess {
  readonly pid: number;
  /** Returns the rest of the first line that begins with `start`; rejects if the process ends before. */
  line(start: string): Promise<string>;
  say(line: string): void;
  /** Ends the process; resolves with its exit code, if it has one. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
  /** Returns the last lines of the program's log. */
  log(): string;
}

const LOG_KEPT = 400_000;

/** Starts a program of the bundle. */
export function startNode(command: readonly string[]): NodeProcess {
  const child = spawn(process.execPath, [...command], {
    env: { PATH: process.env["PATH"] },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = `${log}${text}`.slice(-LOG_KEPT);
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const waiting: { readonly start: string; readonly resolve: (rest: string) => void }[] = [];
  const seen: string[] = [];
  createInterface(child.stdout).on("line", (line) => {
    const place = waiting.findIndex(({ start }) => line.startsWith(start));
    const [one] = place < 0 ? [] : waiting.splice(place, 1);
    if (one === undefined) seen.push(line);
    else one.resolve(line.slice(one.start.length));
  });
  return {
    pid: child.pid ?? 0,
    line(start) {
      const place = seen.findIndex((line) => line.startsWith(start));
      const [seenLine] = place < 0 ? [] : seen.splice(place, 1);
      if (seenLine !== undefined) return Promise.resolve(seenLine.slice(start.length));
      return new Promise((resolve, reject) => {
        waiting.push({ start, resolve });
        void ended.then((code) =>
          reject(new Error(`it ended with ${code}:\n${log.slice(-4_000)}`)),
        );
      });
    },
    say: (line) => void child.stdin.write(`${line}\n`),
    async end(signal) {
      child.kill(signal);
      return ended;
    },
    log: () => log,
  };
}
