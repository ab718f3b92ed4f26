import type { Json } from "../../protocol/json.ts";
import type { HandOver } from "../run/hand-over.ts";
import type { RunState } from "../run/run-state.ts";
import type { Failure } from "../evaluation/evaluation.ts";

/** Everything that follows from one event. Plain data. */
export interface Decision {
  /** Revision of the ruleset that decided. */
  readonly revision: string;
  /** The runs that start. */
  readonly runs: readonly RunState[];
  /** State to write in the same transaction as the runs. */
  readonly changes: readonly StateChange[];
  /** Rules that matched and do not run, and of which a person is to be told. */
  readonly overflows: readonly Overflow[];
  /** What the rules said that were judged; the others can't match, since what they ask for is not in the event. */
  readonly judged: readonly JudgedRule[];
  /** How many rules that listen to the event were not judged. */
  readonly ruledOut: number;
}

/** A rule has reached its limit, or leaves what comes late, and a person is to be told. */
export interface Overflow {
  readonly ruleId: string;
  readonly revision: string;
  readonly handOver: HandOver;
}

/** What a rule said, in short; `explain` has it in full. */
export interface JudgedRule extends Pick<Verdict, "outcome" | "reason"> {
  readonly rule: { readonly id: string };
}

/** A value of user state that a decision writes. */
export interface StateChange {
  readonly key: string;
  readonly value: Json;
  /** When the entry can be forgotten. Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Whether one rule ran for an event, and why. */
export interface Verdict {
  readonly ruleId: string;
  readonly revision: string;
  readonly file: string;
  readonly line: number;
  /** `no`: it did not match. `skipped`: it was not evaluated to its end, or not allowed to run. */
  readonly outcome: "ran" | "no" | "skipped";
  readonly reason: VerdictReason;
  /** The clause that failed first, or what kept the rule from running. */
  readonly clause?: Failure;
  /** Until when a cooldown keeps it from running, in milliseconds since the epoch. */
  readonly until?: number;
}

/** Why a rule ran or did not. */
export type VerdictReason =
  | "matched"
  | "condition"
  | "expression-error"
  | "own-event"
  | "not-own-event"
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
