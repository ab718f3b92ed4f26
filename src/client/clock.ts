import { setTimeout as delay } from "node:timers/promises";

/**
 * The client's source of time: `now` dates signatures and reads reset headers, `sleep` waits
 * between tries. A bot on the sandbox passes the sandbox's clock.
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
