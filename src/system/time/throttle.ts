/**
 * Throttles reports of events that may happen thousands of times a second: the first one at once, then at most one in `everyMs`
 * of real time.
 *
 * @param report Called with the latest event, and the number of events since the last call.
 */
export function throttle<T>(
  everyMs: number,
  report: (latest: T, times: number) => void,
  now: () => number = () => performance.now(),
): (happened: T) => void {
  let times = 0;
  let nextAt = -Infinity;
  return (happened) => {
    times += 1;
    if (now() < nextAt) return;
    nextAt = now() + everyMs;
    report(happened, times);
    times = 0;
  };
}

/** Interval in milliseconds at which a lasting fault is logged. */
export const LOG_EVERY_MS = 30_000;
