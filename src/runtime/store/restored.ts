import type { Doubt } from "./machine/port.ts";

/** Name of the value in `meta` with the time of the restored backup, in milliseconds since the epoch. */
export const RESTORED_FROM = "restored-from";
/** Name of the value in `meta` with the time in which another store answered, as {@link AnsweredElsewhere} in JSON. */
export const ANSWERED_ELSEWHERE = "answered-elsewhere";
/** Reason of the status `unknown`, for an item that another copy of the store may have sent. */
export const DOUBT =
  "it may have been sent already, by another copy of the store or before the store was brought back";

/** Time in which another store answered in place of this one. */
export interface AnsweredElsewhere {
  /** End of that time, in milliseconds since the epoch by the platform's clock. */
  readonly until: number;
  /** Milliseconds for which an item that the other store may have sent blocks its lane. */
  readonly holdMs: number;
}

/** Parses the value of {@link ANSWERED_ELSEWHERE}; undefined if no other store answered. */
export function answeredElsewhere(text: string | undefined): AnsweredElsewhere | undefined {
  return text === undefined ? undefined : JSON.parse(text);
}

/** Returns the doubt about items that answer an event of the time `at`; undefined if they were surely not sent before. */
export function doubtAbout(
  answered: AnsweredElsewhere | undefined,
  at: number | undefined,
): Doubt | undefined {
  if (answered === undefined || at === undefined || at >= answered.until) return undefined;
  return { startedAt: at, holdMs: answered.holdMs };
}
