import type { ThreadUsage } from "../watching/thread-usage.ts";
import { TICK_MS, type Ticking } from "../watching/ticking.ts";

/** Limits for loading one module, in milliseconds. */
export interface LoadingLimits {
  /** Limit of the thread's processor time. The load of the machine does not affect it. */
  readonly cpuMs: number;
  /** Limit of the time in which the module waits for something; default: unlimited. */
  readonly waitMs?: number | undefined;
  /** Called repeatedly with the milliseconds that the thread ran or waited. Time without a processor does not count. */
  readonly onProgress?: ((ms: number) => void) | undefined;
}

/** Kind of limit that was exceeded: processor time (`looping`) or time of waiting (`waiting`). */
export type Overdue = "looping" | "waiting";

export interface LoadingWatch {
  /** Restarts the limit of processor time and the limit of waiting. Called when the next module begins to load. */
  begins(): void;
  stop(): void;
}

/**
 * Enforces limits on a thread that loads modules one after the other.
 *
 * @param onOver Called when a limit is exceeded, with its kind and a description.
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
    // A thread that could run but gets no processor time is not waiting for anything.
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
