import { readFileSync } from "node:fs";
import type { Worker } from "node:worker_threads";

/** What a thread does with the processor. */
export interface ThreadUsage {
  /** Processor time that it has had so far. Milliseconds, in steps of ten. */
  readonly cpuMs: number;
  /** It has something to do: it runs, or would if it were let. Else it waits for something. */
  readonly isRunnable: boolean;
}

/** Linux counts processor time in hundredths of a second for whoever reads it here. */
const TICK_MS = 10;

/** What a thread of this process does; undefined where the system does not tell, or the thread has ended. */
export function threadUsage(systemId: number | undefined): ThreadUsage | undefined {
  if (systemId === undefined) return undefined;
  try {
    const stat = readFileSync(`/proc/self/task/${systemId}/stat`, "latin1");
    // The thread's name may hold anything, also blanks and brackets.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[10]) + Number(fields[11]);
    return Number.isFinite(ticks)
      ? { cpuMs: ticks * TICK_MS, isRunnable: state === "R" }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Reads again and again what a thread does with the processor. */
export type UsageReader = () => ThreadUsage;

/**
 * Reads the usage of a thread on every system.
 *
 * Where the system does not report single threads, as on macOS, a thread has had at most the time in which its event
 * loop was busy, and at most the processor time of the whole process.
 *
 * @param systemId The system's number of the thread, once that is known.
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
    const told = threadUsage(systemId());
    if (told !== undefined) return told;
    const busyMs = loop.active - loopBefore.active;
    const processMs = (all.user + all.system - allBefore.user - allBefore.system) / 1_000;
    const ownMs = Math.max(0, Math.min(busyMs, processMs));
    cpuMs += ownMs;
    // A loop that is busy while the process uses no processor time is blocked by something that it waits for.
    return { cpuMs, isRunnable: ownMs > (loop.idle - loopBefore.idle + busyMs) * RUNNING_SHARE };
  };
}

/** A thread that has had the processor for this share of the time had something to do. */
const RUNNING_SHARE = 0.25;
