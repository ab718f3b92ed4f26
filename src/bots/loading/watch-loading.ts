import type { ThreadUsage } from "../watching/thread-usage.ts";
import { TICK_MS, type Ticking } from "../watching/ticking.ts";

/** Limits of loading one module. Milliseconds. */
export interface LoadingLimits {
  /** Processor time of the module's thread, which the load of the machine does not affect. */
  readonly cpuMs: number;
  /** Time that the module may wait for something; default unlimited. */
  readonly waitMs?: number | undefined;
  /** Called with each part of the time in which the thread runs or waits. Time without a processor is not part of it. */
  readonly onProgress?: ((ms: number) => void) | undefined;
}

/** Kind of the exceeded limit: the module runs too long, or waits too long. */
export type Overdue = "looping" | "waiting";

export interface LoadingWatch {
  /** Starts the limits for the next module. */
  begins(): void;
  stop(): void;
}

/**
 * Enforces the limits on modules that a thread loads one after the other.
 *
 * @param onOver Called once, with the exceeded limit as text.
 */
export function watchLoading(
  usage: () => ThreadUsage,
  { cpuMs, waitMs = Infinity, onProgress }: LoadingLimits,
  onOver: (overdue: Overdue, reason: string) => void,
  ticking: Ticking,
): LoadingWatch {
  let before: ThreadUsage | undefined;
  let usedMs = 0;
  let waitedMs = 0;
  const stop = ticking(() => {
    if (before === undefined) return;
    const now = usage();
    const used = Math.max(0, now.cpuMs - before.cpuMs);
    before = now;
    usedMs += used;
    // A thread that is ready to run but gets no processor time is not waiting for anything.
    const waited = now.isRunnable ? 0 : Math.max(0, TICK_MS - used);
    waitedMs += waited;
    onProgress?.(used + waited);
    if (usedMs > cpuMs) onOver("looping", `not loaded within ${cpuMs} ms of processor time`);
    else if (waitedMs > waitMs) {
      onOver("waiting", `still waiting at its top level after ${waitMs} ms`);
    }
  });
  return {
    begins() {
      before = usage();
      usedMs = 0;
      waitedMs = 0;
    },
    stop,
  };
}
