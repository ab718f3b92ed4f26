import { isRepeatable } from "../../actions/actions.ts";
import type { Item, ItemStatus } from "../store/item.ts";

/** How one request of the outbox ended. */
export type Sending =
  /** The platform accepted it. */
  | { readonly kind: "accepted"; readonly platformId?: string }
  /** The platform said no, and the same request will get the same answer. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The platform did not execute it because of a limit, which ends at `resetAt` (ms) when it said so. */
  | { readonly kind: "limited"; readonly reason: string; readonly resetAt?: number }
  /** The platform said no for a reason that is the operator's or its own, and may say yes later. */
  | { readonly kind: "not-now"; readonly reason: string }
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

/**
 * How long an item of unknown outcome holds up the next ones of its lane, while it is looked up. Then
 * they go, and it stays visible as unknown: nobody is muted for good.
 */
export const HOLD_MS = 10 * 60_000;

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
    case "not-now":
    case "not-sent":
      return again(item, now + delayMs(item.attempts, random), now, sending.reason);
    case "unknown":
      return isRepeatable(item.action)
        ? again(item, now + delayMs(item.attempts, random), now, sending.reason)
        : { to: "unknown", notBefore: now + HOLD_MS, reason: sending.reason };
  }
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
