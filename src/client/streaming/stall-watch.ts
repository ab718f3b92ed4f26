import type { ClientClock } from "../clock.ts";

/** A sleep that ends so much after its time shows that the clock jumped or the process stood still; milliseconds. */
const LATE_MS = 1_000;

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
 * Where the clock jumped past that, the time is counted anew: what is on its way may still arrive.
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
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    if (signal.aborted) return false;
    const now = clock.now();
    aliveAt = isHeldBack() || now > due + LATE_MS ? now : lastByteAt();
    if (aliveAt + stallAfterMs <= now) return true;
  }
}
