import { setTimeout as delay } from "node:timers/promises";
import type { ClientClock } from "../clock.ts";

/** A sleep that ends so much after its time shows that the clock jumped or the process stood still; milliseconds. */
const LATE_MS = 1_000;
/** How long what is on its way may take to be read after that; milliseconds of real time. */
const CATCH_UP_MS = 500;

/** A connection as far as it matters whether it lives. */
export interface WatchedConnection {
  /** When something last came, by `clock`. */
  readonly lastByteAt: () => number;
  /** Whether nothing can come, since what came is not read. */
  readonly isHeldBack: () => boolean;
}

/**
 * Resolves true once nothing has come for `stallAfterMs`, false when `signal` is aborted.
 *
 * Where the clock jumped past that, what is on its way gets the time to arrive first.
 */
export async function hasStalled(
  clock: ClientClock,
  { lastByteAt, isHeldBack }: WatchedConnection,
  stallAfterMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  let aliveAt = lastByteAt();
  for (;;) {
    const due = aliveAt + stallAfterMs;
    try {
      await clock.sleep(Math.max(0, due - clock.now()), signal);
      const woke = clock.now();
      if (lastByteAt() + stallAfterMs <= woke && woke > due + LATE_MS) {
        await delay(CATCH_UP_MS, undefined, { signal, ref: false });
      }
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
    if (signal.aborted) return false;
    aliveAt = isHeldBack() ? clock.now() : lastByteAt();
    if (aliveAt + stallAfterMs <= clock.now()) return true;
  }
}
