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

/** Lateness of a timer in milliseconds from which this process is assumed not to have run meanwhile. */
const PAUSED_MS = 2_000;

/**
 * Calls `then` once, after `ms` milliseconds. If this process did not run, for example in a paused container, the time
 * begins again, because the limited work did not run either.
 *
 * @param monotonic Returns milliseconds of a clock that is never set.
 * @returns A function that cancels the call.
 */
export function limitTime(
  ms: number,
  then: () => void,
  monotonic = (): number => performance.now(),
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    const due = monotonic() + ms;
    timer = setTimeout(() => (monotonic() - due > PAUSED_MS ? begin() : then()), ms);
  };
  begin();
  return () => clearTimeout(timer);
}
