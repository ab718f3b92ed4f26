import { execFileSync } from "node:child_process";
import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { isPoint, type PointName } from "./points.ts";

/** Called when the process passes a point. */
export type Pass = (point: PointName) => void;

/** Point and pass at which a process kills itself. */
export interface Strike {
  readonly point: PointName;
  /** 1 for the first time that the process comes past the point. */
  readonly pass: number;
}

/** The variable of the environment that carries a {@link Strike}, for the threads of the process, too. */
export const STRIKE_VARIABLE = "CRASH_AT";

/** Prefix of the line on stdout with which a process announces that it kills itself at a point. */
export const HIT = "hit ";

/** A {@link Strike} as the environment carries it. */
export function written({ point, pass }: Strike): string {
  return `${point} ${pass}`;
}

/**
 * The trigger of this process or thread: it kills the process, as `kill -9` does, at the pass that the
 * environment names.
 */
export function trigger(text: string | undefined): Pass {
  const [name = "", pass = ""] = (text ?? "").split(" ");
  if (!isPoint(name)) return () => {};
  let remaining = Number(pass);
  return (point) => {
    if (point !== name) return;
    remaining -= 1;
    if (remaining !== 0) return;
    // Unbuffered, so that it has left this process when it dies.
    writeSync(1, `${HIT}${point}\n`);
    kill();
  };
}

/** A bot's thread may not end its process; the system may. */
function kill(): void {
  if (isMainThread) process.kill(process.pid, "SIGKILL");
  else execFileSync("kill", ["-KILL", String(process.pid)]);
}
