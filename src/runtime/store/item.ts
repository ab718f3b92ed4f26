import type { ActionResult } from "../../actions/action-result.ts";
import type { Action } from "../../actions/actions.ts";
import type { Counted } from "./answer-limit.ts";
import type { RunWrite } from "./run.ts";

/** Conditions under which an action is sent, such as the earliest time. */
export interface SendingTerms {
  /** Earliest time of sending, by the platform's clock. An `unknown` item blocks its lane until that time. */
  readonly notBefore: number;
  /** Time at which the item expires, by the platform's clock. */
  readonly expiresAt?: number;
  /** Lower values are sent first if not all items can be sent. 0, the default: a person waits for the answer. */
  readonly priority?: number;
  /** Limits against which the item counts, if any. The store does not return this field when it reads an item. */
  readonly counted?: Counted;
  /** Time of the message that the item answers, by the platform's clock. Absent: no person waits for an answer. */
  readonly heardAt?: number;
  /** Holds the item from the beginning, for this reason. Later items of its lane do not wait for it. */
  readonly holdReason?: string;
  /** Fails the item with `reason`, without sending it, if user state has a value under `key`. */
  readonly unless?: { readonly key: string; readonly reason: string };
}

/** Action of an account, such as a post or a message, to be queued in the outbox. */
export interface NewItem extends SendingTerms {
  /**
   * Idempotency key: run, step label and iteration. A second item of the account with the same key is
   * dropped, so a run that repeats a step sends once.
   */
  readonly key: string;
  /** Id of the run that queued the item. */
  readonly run: string;
  /** Number (`seq`) of the journal entry that started the run. */
  readonly seq: number;
  readonly account: string;
  readonly lane: string;
  readonly action: Action;
}

/**
 * `pending`: to be sent. `sending`: a request is running, or was running when the process died. `unknown`: a request
 * was sent, but its outcome is unknown. `held`: above an answer limit and waiting for the operator, or waiting for the
 * end of quiet hours. `sent`, `failed`, `expired`: settled, which means finished.
 */
export type ItemStatus = "pending" | "sending" | "sent" | "failed" | "expired" | "unknown" | "held";

/** Reason stored with an item that is held because of quiet hours. The item is sent at its `notBefore`. */
export const HELD_QUIET = "quiet hours";

/** Reasons stored with an item that the operator has queued again. */
export const BY_OPERATOR = {
  retried: "retried by the operator",
  released: "released by the operator",
} as const;

/** Whether the operator wants the item to be sent at once. */
export function isWantedNow({ reason }: Pick<Item, "reason">): boolean {
  return reason === BY_OPERATOR.retried || reason === BY_OPERATOR.released;
}

/** Beginning of the reason of an item whose outcome the operator stated. */
const STATED = "settled by the operator";

/** Returns the reason of an item whose outcome the operator stated. */
export function statedReason(as: "sent" | "failed"): string {
  return `${STATED} as ${as}`;
}

/** Whether the operator stated the item's outcome. The statement may be wrong, and may lack the platform's id. */
export function isStated({ reason = "" }: Pick<Item, "reason">): boolean {
  return reason.startsWith(STATED);
}

/** Whether an item waits for the operator. The run that queued such an item continues without waiting for it. */
export function isHeldBack({
  status,
  reason,
}: {
  readonly status: ItemStatus;
  readonly reason?: string | null | undefined;
}): boolean {
  return status === "held" && reason !== HELD_QUIET;
}

/** Reason stored with an item that the operator has dropped, whose status is `failed`. */
export const DROPPED_BY_OPERATOR = "dropped by the operator";

/** Status under which an item is counted and listed. `dropped`: the item failed because the operator dropped it. */
export type CountedStatus = ItemStatus | "dropped";

/** Returns the status under which an item is counted and listed. */
export function countedAs({
  status,
  reason,
}: {
  readonly status: ItemStatus;
  readonly reason?: string | null | undefined;
}): CountedStatus {
  return status === "failed" && reason === DROPPED_BY_OPERATOR ? "dropped" : status;
}

/** Final statuses. Only the operator can change them: a failed or expired item may become `pending` again. */
export const SETTLED = ["sent", "failed", "expired"] as const satisfies readonly ItemStatus[];

/** Whether an item with this status is finished: sent, failed or expired. */
export function isSettled(status: ItemStatus): status is (typeof SETTLED)[number] {
  return SETTLED.some((settled) => settled === status);
}

/** Stored item of the outbox. */
export interface Item extends Omit<NewItem, "heardAt" | "holdReason" | "unless"> {
  /** Number of the item in the order of queueing; never used twice. */
  readonly id: number;
  readonly partition: number;
  readonly status: ItemStatus;
  /** Number of requests that were started to send the item. */
  readonly attempts: number;
  /** Start of the last request, by the platform's clock. */
  readonly startedAt?: number;
  /** Time at which the item was settled, by the platform's clock. */
  readonly settledAt?: number;
  /** The platform's id of the message event or post that was created. */
  readonly platformId?: string;
  /** Reason of the status: why the item failed, expired, waits, is held or is unknown. */
  readonly reason?: string;
  /** Result that the platform returned, if it differs from the result that the action and `platformId` imply. */
  readonly result?: ActionResult;
}

/** Change of an item's status. */
export interface ItemTransition {
  readonly id: number;
  readonly partition: number;
  readonly epoch: number;
  readonly from: ItemStatus;
  readonly to: ItemStatus;
  /** Current time, by the platform's clock. */
  readonly at: number;
  readonly platformId?: string;
  readonly notBefore?: number;
  /** New time at which the item expires. */
  readonly expiresAt?: number;
  readonly reason?: string;
  /** Result that the platform returned: see {@link Item.result}. */
  readonly result?: ActionResult;
  /** Only for a change that settles the item: the end of the run that waits for it. */
  readonly ends?: EndOfRun;
}

/**
 * End of a run whose last item is settled, to be stored in the same transaction.
 *
 * The end is stored only if all of these hold. Otherwise the settled item is queued as an input of its lane, and the
 * run continues with that input.
 * - The run still waits for the item, and its version is the one that was read.
 * - The run holds no slot.
 * - Run and item have the same lane, and no silence applies to this lane.
 */
export interface EndOfRun {
  readonly run: RunWrite;
  /** Ids of timers that the run no longer needs. */
  readonly cancelled: readonly string[];
}
