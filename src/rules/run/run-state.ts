import type { AccountEvent } from "../../events/event.ts";
import type { TriggerName } from "../decide/evaluation.ts";
import type { Position } from "./step.ts";
import type { Json } from "../../protocol/json.ts";

/**
 * A rule at work, between two steps. Plain JSON: the runtime keeps it each time that the run needs
 * something from outside, and takes it up after a restart with the rule of its revision.
 */
export interface RunState {
  readonly ruleId: string;
  /** Revision of the rule, not of the ruleset. */
  readonly revision: string;
  readonly event: AccountEvent;
  readonly trigger: TriggerName;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly vars: Readonly<Record<string, Json>>;
  /** The step that is next, or under way. */
  readonly position: Position;
  /** By step label: `actions[0]`. */
  readonly results: Readonly<Record<string, StepResult>>;
  /** What failed last: expressions of `on_error` see it as `error`. */
  readonly error?: RunError;
  readonly ended?: RunEnd;
}

/** How a step ended. */
export type StepResult =
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly error: StepError };

export interface StepError {
  /** Kebab-case or the platform's word; a rule may compare it. */
  readonly code: string;
  readonly message: string;
}

export interface RunError extends StepError {
  /** Label of the step that failed. */
  readonly step: string;
}

export interface RunEnd {
  readonly outcome: "finished" | "stopped" | "failed";
  readonly reason: string;
}
