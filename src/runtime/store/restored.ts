import type { Doubt } from "./machine/port.ts";

/** Name of the value in `meta` with the time of the restored backup, in milliseconds since the epoch. */
export const RESTORED_FROM = "restored-from";
/** Name of the value in `meta` with the times in which other stores answered, as {@link AnsweredElsewhere}s in JSON. */
export const ANSWERED_ELSEWHERE = "answered-elsewhere";
/** Reason of the status `unknown`, for an item that another copy of the store may have sent. */
export const DOUBT =
  "it may have been sent already, by another copy of the store or before the store was brought back";

/** Account for which another store has answered. */
export interface AccountElsewhere {
  /** User id. */
  readonly account: string;
  /** First time at which that store may have answered, in milliseconds since the epoch by the platform's clock. */
  readonly from: number;
}

/** Time in which another store answered in place of this one. */
export interface AnsweredElsewhere {
  /** User id of the account for which that store answered; absent if it answered for all accounts. */
  readonly account?: string;
  /** End of that time, in milliseconds since the epoch by the platform's clock. */
  readonly until: number;
  /** Milliseconds for which an item that the other store may have sent blocks its lane. */
  readonly holdMs: number;
}

/** Parses the value of {@link ANSWERED_ELSEWHERE}. Earlier versions stored one record for all accounts, not an array. */
export function answeredElsewhere(text: string | undefined): readonly AnsweredElsewhere[] {
  return text === undefined ? [] : [JSON.parse(text)].flat();
}

/** Adds a time in which another store answered. It replaces the earlier times of the same account, or of all accounts. */
export function withAnswered(
  earlier: readonly AnsweredElsewhere[],
  added: AnsweredElsewhere,
): readonly AnsweredElsewhere[] {
  const isReplaced = ({ account }: AnsweredElsewhere): boolean =>
    added.account === undefined || added.account === account;
  return [...earlier.filter((one) => !isReplaced(one)), added];
}

/**
 * Returns the doubt about items of an account that answer an event; undefined if they were surely not sent before.
 *
 * @param at Time of the event, in milliseconds since the epoch; undefined if the event is no longer stored.
 */
export function doubtAbout(
  answered: readonly AnsweredElsewhere[],
  account: string,
  at: number | undefined,
): Doubt | undefined {
  if (at === undefined) return undefined;
  const elsewhere = answered.find((one) => (one.account ?? account) === account && at < one.until);
  return elsewhere && { startedAt: at, holdMs: elsewhere.holdMs };
}
