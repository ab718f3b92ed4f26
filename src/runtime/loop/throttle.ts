/**
 * Reports a thing that may happen thousands of times a second: at once the first time, then no more
 * than once in `everyMs` of real time.
 *
 * @param report Gets the latest case, and how many there were since it was last called.
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

/** How often a fault that lasts is logged, in milliseconds. */
export const LOG_EVERY_MS = 30_000;
