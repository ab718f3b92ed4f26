/** Calls `tick` about every {@link TICK_MS} milliseconds. Returns a function that stops this. */
export type Ticking = (tick: () => void) => () => void;

export const TICK_MS = 100;

/** Ticks by this machine's timers. A late tick counts once, so time in which the machine sleeps does not count. */
export function inRealTime(tick: () => void): () => void {
  const timer = setInterval(tick, TICK_MS).unref();
  return () => clearInterval(timer);
}

/**
 * Calls `then` once, after `ms` milliseconds, which are counted in ticks. Time in which the machine sleeps does not
 * count.
 *
 * @returns A function that cancels the call.
 */
export function afterTicks(ticking: Ticking, ms: number, then: () => void): () => void {
  let ticks = 0;
  const stop = ticking(() => {
    ticks += 1;
    if (ticks * TICK_MS < ms) return;
    stop();
    then();
  });
  return stop;
}
