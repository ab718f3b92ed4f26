import type { Json } from "../../protocol/json.ts";
import type { CompiledRule } from "../ruleset.ts";
import type { Verdict } from "./decision.ts";
import type { TriggerName } from "./evaluation.ts";

/** How the event came. */
export interface JudgingContext {
  /** It came late: by replay or backfill. */
  readonly replayed?: boolean;
  /** Why rules are silent, but for those that interrupt. */
  readonly paused?: string;
  /** Handle of the account. */
  readonly username?: string | undefined;
  /** Whether user state was asked for that has not been read: what was said then holds for nothing. */
  readonly isUnread?: () => boolean;
}

/** What one rule says, and with what its run would start. */
export interface RuleOutcome extends Pick<Verdict, "outcome" | "reason" | "clause" | "until"> {
  readonly rule: CompiledRule;
  readonly start?: RunStart;
  /** It would have run, had the event not come late: a person is told instead. */
  readonly notifies?: true;
}

/** With what a run of the rule starts. */
export interface RunStart {
  readonly trigger: TriggerName;
  readonly vars: Readonly<Record<string, Json>>;
  /** Absent: no pattern of the rule has named groups. */
  readonly captures?: Readonly<Record<string, string>>;
  /** What its runs share whose key is the same. Absent: the rule has no mode. */
  readonly slot?: string;
}
