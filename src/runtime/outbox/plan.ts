import { isRepeatable } from "../../actions/actions.ts";
import type { RateLimits } from "../../client/client.ts";
import type { Item, ItemStatus } from "../store/item.ts";
import type { Ending } from "./gate/gate.ts";

/** How one request of the outbox ended. */
export type Sending = (
  | /** The platform accepted it. */ {
      readonly kind: "accepted";
      readonly platformId?: string;
      /** Why it is taken for done, where nobody has got it. */
      readonly reason?: string;
    }
  /** The platform said no, and the same request will get the same answer. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The platform did not execute it because of a limit, which ends at `resetAt` (ms) when it said so. */
  | { readonly kind: "limited"; readonly reason: string; readonly resetAt?: number }
  /**
   * The platform said no for a reason that is the operator's to solve, with what to do about it where that
   * is known, and may say yes later.
   */
  | { readonly kind: "not-now"; readonly reason: string; readonly fix?: string }
  /** The platform can't now, and did nothing; or it could not be reached, and nothing left this machine. */
  | { readonly kind: "unavailable"; readonly reason: string }
  /** This process kept it back at the last moment. */
  | { readonly kind: "kept-back"; readonly reason: string }
  /** It left, and nobody knows what became of it. */
  | { readonly kind: "unknown"; readonly reason: string }
) & {
  /** What the answer's headers said of the platform's limits. */
  readonly told?: RateLimits;
};

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

/** Longest delay before the first repeat of a request that did nothing; doubles with each further one. */
const BASE_DELAY_MS = 1_000;
const MAX_DELAY_MS = 15 * 60_000;
/** Longest delay while the operator has something to solve: it should show soon that it is solved. */
const ASK_AGAIN_MS = 60_000;

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
  const delay = delayMs(item.attempts, random);
  switch (sending.kind) {
    case "accepted":
      return {
        to: "sent",
        ...(sending.platformId !== undefined && { platformId: sending.platformId }),
        ...(sending.reason !== undefined && { reason: sending.reason }),
      };
    case "refused":
      return { to: "failed", reason: sending.reason };
    case "limited": {
      // A reset that has passed tells nothing: the clocks differ, and the next try needs its delay.
      const { resetAt = now } = sending;
      const at = resetAt > now ? resetAt : now + delay;
      return again(item, at, now, sending.reason);
    }
    case "not-now":
      return again(item, now + Math.min(ASK_AGAIN_MS, delay), now, sending.reason);
    case "unavailable":
    case "kept-back":
      return again(item, now + delay, now, sending.reason);
    case "unknown":
      return isRepeatable(item.action)
        ? again(item, now + delay, now, sending.reason)
        : { to: "unknown", notBefore: now + HOLD_MS, reason: sending.reason };
  }
}

/** What a request's end tells those that come after it. Pure. */
export function endingOf(sending: Sending): Ending {
  const { told } = sending;
  const headers = told === undefined ? {} : { told };
  switch (sending.kind) {
    case "accepted":
      return { kind: "answered", reason: "", ...headers };
    case "refused":
    case "limited":
      return { kind: "answered", reason: sending.reason, ...headers };
    case "not-now": {
      const { reason, fix } = sending;
      return { kind: "refused", reason, ...(fix === undefined ? {} : { fix }), ...headers };
    }
    case "unavailable":
    case "unknown":
      return { kind: "unavailable", reason: sending.reason, ...headers };
    case "kept-back":
      return { kind: "untried", reason: sending.reason };
  }
}

function again(item: Item, notBefore: number, now: number, reason: string): NextState {
  const at = Math.max(notBefore, now);
  if (item.expiresAt !== undefined && at >= item.expiresAt) return { to: "expired", reason };
  return { to: "pending", notBefore: at, reason };
}

/**
 * Delay before the next request after `attempts` that did nothing, in milliseconds: anything up to a ceiling
 * that doubles, so that items which failed together don't come back together.
 */
export function delayMs(attempts: number, random: number): number {
  const ceiling = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** Math.max(0, attempts - 1));
  return Math.floor(random * ceiling);
}
