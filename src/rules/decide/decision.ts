import type { Json } from "../../protocol/json.ts";
import type { HandOver } from "../run/hand-over.ts";
import type { RunState } from "../run/run-state.ts";
import type { Failure } from "../evaluation/evaluation.ts";

/** Result of deciding one event. Plain data. */
export interface Decision {
  /** Revision of the ruleset that decided. */
  readonly revision: string;
  /** The runs that start. */
  readonly runs: readonly RunState[];
  /** State to write in the same transaction as the runs. */
  readonly changes: readonly StateChange[];
  /** Escalations of rules that matched but do not run. */
  readonly overflows: readonly Overflow[];
  /** Outcomes of the judged rules. The index shows that all other rules can't match the event. */
  readonly judged: readonly JudgedRule[];
  /** Number of rules with a trigger for the event that were not judged. */
  readonly ruledOut: number;
}

/** Escalation to a person: a rule has reached its limit, or skips a late event. */
export interface Overflow {
  readonly ruleId: string;
  readonly revision: string;
  readonly handOver: HandOver;
}

/** Short outcome of a rule; `explain` returns it in full. */
export interface JudgedRule extends Pick<Verdict, "outcome" | "reason"> {
  readonly rule: { readonly id: string };
}

/** Value of user state that a decision writes. */
export interface StateChange {
  readonly key: string;
  readonly value: Json;
  /** Time from which the entry may be deleted, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Whether one rule ran for an event, and why. */
export interface Verdict {
  readonly ruleId: string;
  readonly revision: string;
  readonly file: string;
  readonly line: number;
  /** `no`: the rule did not match. `skipped`: it was not evaluated completely, or not allowed to run. */
  readonly outcome: "ran" | "no" | "skipped";
  readonly reason: VerdictReason;
  /** First clause that failed, or the reason that held the rule back. */
  readonly clause?: Failure;
  /** End of the cooldown that holds the rule back, in milliseconds since the epoch. */
  readonly until?: number;
}

/** Reason why a rule ran or did not run. */
export type VerdictReason =
  | "matched"
  | "condition"
  | "expression-error"
  | "own-event"
  | "not-own-event"
  | "other-conversation"
  | "disabled"
  | "other-account"
  | "stage-draft"
  | "stage-shadow"
  | "not-active"
  | "too-old"
  | "replayed"
  | "group-already-matched"
  | "paused"
  | "cooldown"
  | "already-running"
  | "queue-full"
  | "too-many-running"
  | "limit";
