import { readFileSync } from "node:fs";
import type { Worker } from "node:worker_threads";

/** Use of the processor by a thread. */
export interface ThreadUsage {
  /** Total processor time in milliseconds, in steps of ten. */
  readonly cpuMs: number;
  /** Whether the thread runs or could run; otherwise it waits for something. */
  readonly isRunnable: boolean;
}

/** Linux reports the processor time of threads in hundredths of a second. */
const TICK_MS = 10;

/**
 * Returns the usage of a thread of this process; undefined if the system does not report it, or the thread has ended.
 */
export function threadUsage(systemId: number | undefined): ThreadUsage | undefined {
  if (systemId === undefined) return undefined;
  try {
    const stat = readFileSync(`/proc/self/task/${systemId}/stat`, "latin1");
    // In `/proc`, the thread's name in parentheses precedes these fields. It may itself contain blanks and parentheses.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[10]) + Number(fields[11]);
    return Number.isFinite(ticks)
      ? { cpuMs: ticks * TICK_MS, isRunnable: state === "R" }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the current processor usage of a thread. */
export type UsageReader = () => ThreadUsage;

/**
 * Creates a function that returns a thread's usage on every system.
 *
 * Some systems, such as macOS, don't report the usage of single threads. It is then estimated by two upper bounds: the
 * busy time of the thread's event loop, and the processor time of the whole process.
 *
 * @param systemId Returns the id that the operating system gives the thread, once it is known.
 */
export function usageReader(
  { performance }: Pick<Worker, "performance">,
  systemId: () => number | undefined,
): UsageReader {
  let loop = performance.eventLoopUtilization();
  let all = process.cpuUsage();
  let cpuMs = 0;
  return () => {
    const [loopBefore, allBefore] = [loop, all];
    loop = performance.eventLoopUtilization();
    all = process.cpuUsage();
    const systemUsage = threadUsage(systemId());
    if (systemUsage !== undefined) return systemUsage;
    const busyMs = loop.active - loopBefore.active;
    const processMs = (all.user + all.system - allBefore.user - allBefore.system) / 1_000;
    const ownMs = Math.max(0, Math.min(busyMs, processMs));
    cpuMs += ownMs;
    // If the loop is busy while the process uses no processor time, the loop is blocked by something that it waits for.
    return { cpuMs, isRunnable: ownMs > (loop.idle - loopBefore.idle + busyMs) * RUNNING_SHARE };
  };
}

/** Fraction of processor time above which a thread counts as running. */
const RUNNING_SHARE = 0.25;
