import { execFileSync } from "node:child_process";
import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { isPoint, type PointName } from "./points.ts";

/** Called when the process reaches a point at which it can be killed. */
export type Pass = (point: PointName) => void;

/** Kill point at which a process kills itself, and the number of the pass: processes reach a point repeatedly. */
export interface Strike {
  readonly point: PointName;
  /** Number of times that the process has reached the point; 1 for the first time. */
  readonly pass: number;
}

/** Environment variable with a {@link Strike}, which the process's threads inherit. */
export const STRIKE_VARIABLE = "CRASH_AT";

/** Prefix of the line on stdout with which a process announces that it kills itself at a point. */
export const HIT = "hit ";

/** Formats a {@link Strike} as the value of {@link STRIKE_VARIABLE}. */
export function written({ point, pass }: Strike): string {
  return `${point} ${pass}`;
}

/**
 * Returns the trigger of this process or thread: it kills the process like `kill -9` at the point and pass in `text`,
 * which is the value of {@link STRIKE_VARIABLE}.
 */
export function trigger(text: string | undefined): Pass {
  const [name = "", pass = ""] = (text ?? "").split(" ");
  if (!isPoint(name)) return () => {};
  let remaining = Number(pass);
  return (point) => {
    if (point !== name) return;
    remaining -= 1;
    if (remaining !== 0) return;
    // Writes synchronously, so that the line is out before this process is killed.
    writeSync(1, `${HIT}${point}\n`);
    kill();
  };
}

/** Kills the process by a signal, because a bot's thread may not call `process.exit`. */
function kill(): void {
  if (isMainThread) process.kill(process.pid, "SIGKILL");
  else execFileSync("kill", ["-KILL", String(process.pid)]);
}
