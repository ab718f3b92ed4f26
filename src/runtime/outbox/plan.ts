import type { ActionResult } from "../../actions/action-result.ts";
import { type Action, isRepeatable, knownResult } from "../../actions/actions.ts";
import type { RateLimits } from "../../client/client.ts";
import type { Item, ItemStatus } from "../store/item.ts";
import type { Ending } from "./gate/gate.ts";

/** Outcome of one attempt to send an item. */
export type Sending = (
  | /** The platform accepted the request. */ {
      readonly kind: "accepted";
      readonly platformId?: string;
      readonly result?: ActionResult;
      /** Reason why the item counts as accepted although no request was sent, as in a dry run. */
      readonly reason?: string;
    }
  /** The platform refused the request, and would refuse the same request again. */
  | { readonly kind: "refused"; readonly reason: string }
  /** A rate limit prevented the request. `resetAt` (ms since the epoch) is the end of the limit, if reported. */
  | { readonly kind: "limited"; readonly reason: string; readonly resetAt?: number }
  /** The platform refused the request for a reason that the operator can remove. `fix` is the remedy, if known. */
  | { readonly kind: "not-now"; readonly reason: string; readonly fix?: string }
  /** The platform could not execute the request now, or could not be reached. The request did nothing. */
  | { readonly kind: "unavailable"; readonly reason: string }
  /** This process did not send the request, for example because its lease was about to end. */
  | { readonly kind: "kept-back"; readonly reason: string }
  /** The request was sent, and its outcome is unknown. */
  | { readonly kind: "unknown"; readonly reason: string }
) & {
  /** Rate limits as reported in the response's headers. */
  readonly reportedLimits?: RateLimits;
};

/** State of an item after a request. */
export interface NextState {
  readonly to: ItemStatus;
  /** Earliest time of the next attempt, by the platform's clock. */
  readonly notBefore?: number;
  readonly platformId?: string;
  readonly reason?: string;
  readonly result?: ActionResult;
}

/**
 * Milliseconds for which an item of unknown outcome holds up the next items of its lane, while the outcome is looked
 * up. After this time the next items are sent, so that no lane is blocked permanently, and the item stays `unknown`.
 */
export const HOLD_MS = 10 * 60_000;

/** Maximum delay before the first retry of a request that did nothing; doubles with each further retry. */
const BASE_DELAY_MS = 1_000;
const MAX_DELAY_MS = 15 * 60_000;
/**
 * Maximum delay of a retry while the operator has a problem to solve, so that items are sent soon after the solution.
 */
const ASK_AGAIN_MS = 60_000;

/**
 * Returns the state of `item` after a request that ended as `sending`. Pure.
 *
 * A retry is planned only if the first request certainly did nothing, or if the action is idempotent (like,
 * follow). Any other item of unknown outcome is `unknown`.
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
        ...resultToStore(item, sending),
      };
    case "refused":
      return item.attempts > 1 && mayBeDone(item.action, sending.reason)
        ? { to: "unknown", notBefore: now + HOLD_MS, reason: sending.reason }
        : { to: "failed", reason: sending.reason };
    case "limited": {
      // The clocks may differ, so the reported reset may be in the past. Then the usual delay applies. A reset after
      // the item's time may be wrong, or the limit may be raised before: the item asks again.
      const { resetAt = now } = sending;
      const isLate = resetAt >= (item.expiresAt ?? Infinity);
      const latest = isLate ? now + MAX_DELAY_MS : Infinity;
      const at = resetAt > now ? Math.min(resetAt, latest) : now + delay;
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

/** Returns the result if it has to be stored, because {@link knownResult} can't derive it from the action. Pure. */
export function resultToStore(
  { action, account }: Pick<Item, "action" | "account">,
  { platformId, result }: Pick<NextState, "platformId" | "result">,
): Pick<NextState, "result"> {
  if (result === undefined) return {};
  const implied = knownResult(action, { account, platformId });
  const names = new Set([...Object.keys(result), ...Object.keys(implied)]);
  return [...names].every((name) => result[name] === implied[name]) ? {} : { result };
}

/** Converts the outcome of a request to the ending that the gate records. Pure. */
export function endingOf(sending: Sending): Ending {
  const { reportedLimits } = sending;
  const headers = reportedLimits === undefined ? {} : { reportedLimits };
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

/**
 * Whether a repetition may be refused because an earlier request was executed: its post exists already, or the object
 * that it deleted is gone.
 */
function mayBeDone({ type }: Action, reason: string): boolean {
  const isDeletion = type === "delete_post" || type === "delete_message";
  return isDuplicateRefusal(reason) || (isDeletion && / was refused with 404\b/.test(reason));
}

/** Whether an item's reason states that the platform refused its text as a duplicate of an earlier post. */
export function isDuplicateRefusal(reason: string | undefined): reason is string {
  return reason !== undefined && /was refused with 403: .*\bduplicate\b/i.test(reason);
}

function again(item: Item, notBefore: number, now: number, reason: string): NextState {
  const at = Math.max(notBefore, now);
  if (item.expiresAt !== undefined && at >= item.expiresAt) return { to: "expired", reason };
  return { to: "pending", notBefore: at, reason };
}

/**
 * Returns the delay after `attempts` requests that did nothing, in milliseconds: a random time up to a ceiling that
 * doubles with each attempt. The random part spreads the retries of items that failed together.
 */
export function delayMs(attempts: number, random: number): number {
  const ceiling = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** Math.max(0, attempts - 1));
  return Math.floor(random * ceiling);
}
