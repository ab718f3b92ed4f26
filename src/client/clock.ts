import { setTimeout as delay } from "node:timers/promises";

/**
 * The client's source of time: `sleep` waits between tries. Signatures and resets use `now`, corrected by the
 * `Date` headers of the platform's answers.
 */
export interface ClientClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this machine. */
export const SYSTEM_CLOCK: ClientClock = {
  now: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
};
