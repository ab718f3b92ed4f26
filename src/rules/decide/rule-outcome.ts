import type { Json } from "../../protocol/json.ts";
import type { CompiledRule } from "../ruleset.ts";
import type { Verdict } from "./decision.ts";
import type { TriggerName } from "../evaluation/evaluation.ts";

/** Circumstances of an event: how it arrived, and for which account. */
export interface JudgingContext {
  /** Whether the event comes from a replay or a backfill. */
  readonly replayed?: boolean;
  /** Reason why only rules with `interrupts` run. */
  readonly paused?: string;
  /** Handle of the account. */
  readonly username?: string | undefined;
  /** Returns whether state was read that is not loaded yet. Outcomes that depend on this state are invalid. */
  readonly isUnread?: () => boolean;
}

/** Verdict of one rule, and the data with which its run would start. */
export interface RuleOutcome extends Pick<Verdict, "outcome" | "reason" | "clause" | "until"> {
  readonly rule: CompiledRule;
  readonly start?: RunStart;
  /** Whether the rule skipped a late event that would have started it: the event is escalated to a person instead. */
  readonly notifies?: true;
}

/** Values with which a run of the rule starts. */
export interface RunStart {
  readonly trigger: TriggerName;
  readonly vars: Readonly<Record<string, Json>>;
  /** Texts of the named groups. Absent if no pattern of the rule has named groups. */
  readonly captures?: Readonly<Record<string, string>>;
  /** Name of the slot (concurrency limit) that runs with the same key share. Absent if the rule has no `mode`. */
  readonly slot?: string;
}
