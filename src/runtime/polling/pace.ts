import type { RateLimit } from "../../client/client.ts";

/** Where the platform does not tell its limit: that of reading messages is 15 in 15 minutes. */
const UNTOLD_MS = 60_000;
/** Where the platform does not count. */
const UNCOUNTED_MS = 2_000;

/**
 * Real milliseconds until the next read, so that a window's budget lasts until it is reset. Pure.
 *
 * @param window The budget after the last read, as the platform told it.
 * @param now Milliseconds since the epoch, by the platform's clock.
 */
export function paceMs(window: RateLimit | undefined, now: number): number {
  if (window === undefined) return UNTOLD_MS;
  if (window.remaining >= window.limit) return UNCOUNTED_MS;
  const leftMs = Math.max(0, window.resetAt - now);
  return Math.max(UNCOUNTED_MS, leftMs / Math.max(1, window.remaining));
}
