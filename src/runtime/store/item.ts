import type { Action } from "../../actions/actions.ts";
import type { Counted } from "./answer-limit.ts";

/** When an action goes out, and whether it does. */
export interface SendingTerms {
  /** Sent no earlier than this, by the platform's clock; an unknown item holds up its lane until then. */
  readonly notBefore: number;
  /** Given up at this time, by the platform's clock. */
  readonly expiresAt?: number;
  /** Lower goes first where not all can go: 0 for what a person waits for, which is meant unless said. */
  readonly priority?: number;
  /** Absent: it counts against no limit. An item that is read has it no more. */
  readonly counted?: Counted;
  /** When the person said what it answers, by the platform's clock; absent: nobody waits for it. */
  readonly heardAt?: number;
  /** It is held from the beginning, for this reason; what comes after it in its lane does not wait for it. */
  readonly holdReason?: string;
  /** It is not sent where user state has a value under `key`: then it has failed, for `reason`. */
  readonly unless?: { readonly key: string; readonly reason: string };
}

/** An action to go out. */
export interface NewItem extends SendingTerms {
  /**
   * Idempotency key: run, step label and iteration. A second item of the account with a known key is
   * dropped, so a run that went through a step twice sends once.
   */
  readonly key: string;
  /** The run that queued it. */
  readonly run: string;
  /** The journal entry that started that run. */
  readonly seq: number;
  readonly account: string;
  readonly lane: string;
  readonly action: Action;
}

/**
 * `pending`: to be sent. `sending`: on its way, or it was when the process died.
 * `unknown`: it left, and nobody knows whether it arrived. `held`: one answer too many, which goes only
 * when the operator says so, or one that waits for the end of quiet hours. `sent`, `failed`, `expired`: settled.
 */
export type ItemStatus = "pending" | "sending" | "sent" | "failed" | "expired" | "unknown" | "held";

/** Why an item is held until its `notBefore`, and goes then. */
export const HELD_QUIET = "quiet hours";

/** Whether an item waits for the operator, and its run goes on meanwhile. */
export function isHeldBack({
  status,
  reason,
}: {
  readonly status: ItemStatus;
  readonly reason?: string | null | undefined;
}): boolean {
  return status === "held" && reason !== HELD_QUIET;
}

/** Reason of an item that the operator has given up. Its status is `failed`. */
export const DROPPED_BY_OPERATOR = "dropped by the operator";

/** State under which an item is counted and listed: `dropped` is the operator's decision, `failed` is not. */
export type CountedStatus = ItemStatus | "dropped";

/** Returns the state under which an item is counted and listed. */
export function countedAs({
  status,
  reason,
}: {
  readonly status: ItemStatus;
  readonly reason?: string | null | undefined;
}): CountedStatus {
  return status === "failed" && reason === DROPPED_BY_OPERATOR ? "dropped" : status;
}

/** The states that an item leaves by hand only: a failed or expired one may be made `pending` again. */
export const SETTLED = ["sent", "failed", "expired"] as const satisfies readonly ItemStatus[];

/** Whether nothing more is done about an item in this state. */
export function isSettled(status: ItemStatus): status is (typeof SETTLED)[number] {
  return SETTLED.some((settled) => settled === status);
}

/** An item of the outbox as it stands. */
export interface Item extends Omit<NewItem, "heardAt" | "holdReason" | "unless"> {
  /** Rises in the order of queueing; never used twice. */
  readonly id: number;
  readonly partition: number;
  readonly status: ItemStatus;
  /** Requests that were started. */
  readonly attempts: number;
  /** When the last request was started, by the platform's clock. */
  readonly startedAt?: number;
  /** When it was settled, by the platform's clock. */
  readonly settledAt?: number;
  /** The platform's id of what was made: a message event or a post. */
  readonly platformId?: string;
  /** Why it failed, expired, waits, is held or unknown. */
  readonly reason?: string;
}

/** A change of an item's state. */
export interface ItemTransition {
  readonly id: number;
  readonly partition: number;
  readonly epoch: number;
  readonly from: ItemStatus;
  readonly to: ItemStatus;
  /** Now, by the platform's clock. */
  readonly at: number;
  readonly platformId?: string;
  readonly notBefore?: number;
  /** A new time at which it is given up. */
  readonly expiresAt?: number;
  readonly reason?: string;
}
