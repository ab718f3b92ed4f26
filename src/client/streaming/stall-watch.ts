import type { ClientClock } from "../clock.ts";

/** A sleep that ends this many milliseconds late means that the clock has jumped or the process was paused. */
const LATE_MS = 1_000;

/** State of a connection from which a stall is detected. */
export interface WatchedConnection {
  /** Time of the last byte, by `clock`. */
  readonly lastByteAt: () => number;
  /** Whether back-pressure has paused the connection, so that no byte can arrive. */
  readonly isHeldBack: () => boolean;
}

/**
 * Resolves true once no byte has come for `stallAfterMs`, false when `signal` aborts.
 *
 * After a jump of the clock or a pause of the process, the wait starts again, because data in transit may still arrive.
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
