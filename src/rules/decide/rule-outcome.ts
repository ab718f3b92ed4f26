import type { Json } from "../../protocol/json.ts";
import type { CompiledRule } from "../ruleset.ts";
import type { Verdict } from "./decision.ts";
import type { TriggerName } from "../evaluation/evaluation.ts";

/** Surroundings of an event: how it came, and by which account. */
export interface JudgingContext {
  /** True where the event came late: by replay or backfill. */
  readonly replayed?: boolean;
  /** Reason why rules are silent, but for those that interrupt. */
  readonly paused?: string;
  /** Handle of the account. */
  readonly username?: string | undefined;
  /** Tells whether user state was asked for that has not been read: what was said then holds for nothing. */
  readonly isUnread?: () => boolean;
}

/** Verdict of one rule, and with what its run would start. */
export interface RuleOutcome extends Pick<Verdict, "outcome" | "reason" | "clause" | "until"> {
  readonly rule: CompiledRule;
  readonly start?: RunStart;
  /** True where the rule would have run, had the event not come late: a person is told instead. */
  readonly notifies?: true;
}

/** Values with which a run of the rule starts. */
export interface RunStart {
  readonly trigger: TriggerName;
  readonly vars: Readonly<Record<string, Json>>;
  /** Text of named groups, by name. Absent: no pattern of the rule has named groups. */
  readonly captures?: Readonly<Record<string, string>>;
  /** Slot of the run: runs with the same key share it. Absent: the rule has no mode. */
  readonly slot?: string;
}
