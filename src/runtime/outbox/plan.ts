import type { Item, ItemStatus } from "../store/store.ts";

/** How one request of the outbox ended. */
export type Sending =
  /** The platform accepted it. */
  | { readonly kind: "accepted"; readonly platformId?: string }
  /** The platform said no, and the same request will get the same answer. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The platform did not execute it because of a limit, which ends at `resetAt` (ms) when it said so. */
  | { readonly kind: "limited"; readonly reason: string; readonly resetAt?: number }
  /** Nothing left this machine, or the platform surely did nothing. */
  | { readonly kind: "not-sent"; readonly reason: string }
  /** It left, and nobody knows what became of it. */
  | { readonly kind: "unknown"; readonly reason: string };

/** The state that an item takes after a request. */
export interface NextState {
  readonly to: ItemStatus;
  /** Sent again no earlier than this, by the platform's clock. */
  readonly notBefore?: number;
  readonly platformId?: string;
  readonly reason?: string;
}

/** Delay before the first repeat of a request that was not sent; doubles with each further one. */
const BASE_DELAY_MS = 1_000;
const MAX_DELAY_MS = 15 * 60_000;

/**
 * What becomes of `item` after a request that ended as `sending`. Pure.
 *
 * A repeat is planned only where the first request surely did nothing, or where doing it twice is
 * the same as once (like, follow). Anything else of unknown outcome is `unknown`.
 *
 * @param now Milliseconds since the epoch, by the platform's clock.
 * @param random Uniform draw in [0, 1).
 */
export function nextState(item: Item, sending: Sending, now: number, random: number): NextState {
  switch (sending.kind) {
    case "accepted":
      return sending.platformId === undefined
        ? { to: "sent" }
        : { to: "sent", platformId: sending.platformId };
    case "refused":
      return { to: "failed", reason: sending.reason };
    case "limited":
      return again(
        item,
        sending.resetAt ?? now + delayMs(item.attempts, random),
        now,
        sending.reason,
      );
    case "not-sent":
      return again(item, now + delayMs(item.attempts, random), now, sending.reason);
    case "unknown":
      return isRepeatable(item)
        ? again(item, now + delayMs(item.attempts, random), now, sending.reason)
        : { to: "unknown", reason: sending.reason };
  }
}

/** `true` when doing the action twice is the same as doing it once. */
export function isRepeatable(item: Pick<Item, "action">): boolean {
  return item.action.type === "like" || item.action.type === "follow";
}

function again(item: Item, notBefore: number, now: number, reason: string): NextState {
  const at = Math.max(notBefore, now);
  if (item.expiresAt !== undefined && at >= item.expiresAt) return { to: "expired", reason };
  return { to: "pending", notBefore: at, reason };
}

/**
 * Delay before the next request after `attempts` that did nothing, in milliseconds: exponential, half
 * of it drawn, so that items which failed together don't come back together.
 */
export function delayMs(attempts: number, random: number): number {
  const ceiling = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** Math.max(0, attempts - 1));
  return Math.floor(ceiling / 2 + (random * ceiling) / 2);
}
