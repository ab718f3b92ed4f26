import type { Verdict } from "../../rules/decide/decision.ts";
import type { LogLevel } from "../../rules/run/step.ts";
import type { NewItem } from "../store/item.ts";
import type { Item } from "../store/item.ts";
import type { Entry } from "../store/entry.ts";
import type { NewTimer, RuleSource, RunAndEntry, RunWrite } from "../store/run.ts";
import type { StateWrite } from "../store/transition.ts";
import type { RunEffect, EffectOutcome } from "./effect.ts";

/** Something that happened in a lane. */
export type LaneEvent =
  /** An account event came in. */
  | { readonly kind: "event"; readonly entry: Entry }
  /** The item that a run waits for was sent, or never will be. */
  | ({ readonly kind: "item-settled"; readonly item: Item } & RunAndEntry)
  /** The time that a run waits for has come. */
  | ({ readonly kind: "timer-due"; readonly timer: NewTimer } & RunAndEntry)
  /** An effect that a run needs was performed. */
  | ({ readonly kind: "effect-settled"; readonly outcome: EffectOutcome } & RunAndEntry)
  /** An earlier holder of the lane left a run whose effect is still to be performed. */
  | ({ readonly kind: "run-ready" } & RunAndEntry);

/** Everything that follows from one thing that happened: what is stored, then what is done. */
export interface Interpretation {
  /** Of an event. Plain data. */
  readonly decision?: KeptDecision;
  readonly runs: readonly RunWrite[];
  readonly timers: readonly NewTimer[];
  readonly sources: readonly RuleSource[];
  readonly state: readonly StateWrite[];
  readonly items: readonly NewItem[];
  /** To be performed once the above is stored. */
  readonly effects: readonly RunEffect[];
  /** To be logged once the above is stored. */
  readonly logs: readonly RunLogLine[];
}

/** What the rules said of an event, as it is kept. */
export interface KeptDecision {
  /** Of the ruleset. */
  readonly revision?: string;
  /** Of each rule that listens to the event. */
  readonly verdicts: readonly Verdict[];
  /** Why no rule was asked. */
  readonly reason?: string;
}

/** A line that a run writes to the log. */
export interface RunLogLine {
  readonly level: LogLevel;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Nothing follows. */
export const NOTHING: Interpretation = {
  runs: [],
  timers: [],
  sources: [],
  state: [],
  items: [],
  effects: [],
  logs: [],
};
