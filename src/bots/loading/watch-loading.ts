import type { ThreadUsage } from "../watching/thread-usage.ts";
import { TICK_MS, type Ticking } from "../watching/ticking.ts";

/** Limits for one module while it is loaded. Milliseconds. */
export interface LoadingLimits {
  /** Processor time of the module's own thread. A busy machine does not use it up. */
  readonly cpuMs: number;
  /** Time that the module waits for something; without it there is no end to that. */
  readonly waitMs?: number | undefined;
}

/** A module that is over a limit: it loops, or it waits. */
export type Overdue = "looping" | "waiting";

export interface LoadingWatch {
  /** The next module begins. */
  begins(): void;
  stop(): void;
}

/**
 * Watches the modules that a thread loads, one after the other.
 *
 * @param onOver Called once, with the limit in words.
 */
export function watchLoading(
  usage: () => ThreadUsage,
  { cpuMs, waitMs = Infinity }: LoadingLimits,
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
    // A thread that is ready to run and gets no processor waits for nothing.
    if (!now.isRunnable) waitedMs += Math.max(0, TICK_MS - used);
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
