import type { ClientClock } from "../../../src/client/clock.ts";

/** A client's clock that moves only when a test calls `advance`. */
export interface ClientHandClock extends ClientClock {
  advance(ms: number): void;
  /** Wake-up times of sleeping callers, earliest first. */
  readonly due: readonly number[];
}

export function clientHandClock(start: number): ClientHandClock {
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  let now = start;
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (ms <= 0) return resolve();
        const wake = (): void => {
          signal?.removeEventListener("abort", stop);
          resolve();
        };
        const sleeper = { at: now + ms, wake };
        sleepers.add(sleeper);
        const stop = (): void => {
          sleepers.delete(sleeper);
          reject(new Error("no longer"));
        };
        signal?.addEventListener("abort", stop, { once: true });
        if (signal?.aborted === true) stop();
      }),
    advance(ms) {
      now += ms;
      for (const sleeper of sleepers) {
        if (sleeper.at > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
    get due() {
      return [...sleepers].map(({ at }) => at).toSorted((a, b) => a - b);
    },
  };
}
