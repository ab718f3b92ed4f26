import type { CountReached } from "../../events/event.ts";
import type { RefusedAnswer, RunState, LogLevel } from "../../rules/run.ts";
import type { Progress } from "../../bots/durable/record.ts";
import type { Json } from "../../protocol/json.ts";
import type { Decision } from "../../rules/decide.ts";
import type { NewEscalation, Silence } from "../store/escalation.ts";
import type { NewItem, Item } from "../store/item.ts";
import type { Entry } from "../store/entry.ts";
import type { NewTimer, RuleSource, RunAndEntry, RunWrite } from "../store/run.ts";
import type { SlotSeen, StateWrite } from "../store/transition.ts";
import type { RunEffect, EffectOutcome } from "./effect.ts";

/** Input of a lane: an event of the account, or progress of one of the lane's runs. */
export type LaneEvent = {
  /**
   * Silences in the lane: pauses of rules and bots after a hand-over, which may have ended. Absent: the lane had none
   * when the lane event was read.
   */
  readonly silences?: readonly Silence[];
} &
  /** An event of the account arrived. */
  (
    | {
        readonly kind: "event";
        readonly entry: Entry;
        /** Open runs of the lane that wait for events, the latest first. */
        readonly listeners: readonly RunAndEntry[];
      }
    /** The item that a run waits for was sent, or will never be sent. */
    | ({ readonly kind: "item-settled"; readonly item: Item } & RunAndEntry)
    /** The time that a run waits for has come. */
    | ({ readonly kind: "timer-due"; readonly timer: NewTimer } & RunAndEntry)
    /** An effect that a run needs was performed. */
    | ({ readonly kind: "effect-settled"; readonly outcome: EffectOutcome } & RunAndEntry)
    /** A handler under way has progress to store. */
    | ({ readonly kind: "handler-progress"; readonly progress: Progress } & RunAndEntry)
    /** A request that must not be sent twice is about to be sent. */
    | ({ readonly kind: "request-begins"; readonly key: string } & RunAndEntry)
    /** An earlier holder of the lane left a run whose effect is still to be performed. */
    | ({ readonly kind: "run-ready" } & RunAndEntry)
    /** The rule of a run was changed or removed. */
    | ({ readonly kind: "rule-changed" } & RunAndEntry)
  );

/** Lane event that concerns an existing run: every kind except an event of the account. */
export type RunHappened = Exclude<LaneEvent, { readonly kind: "event" }>;

/** Writes of one lane event, for one transaction. */
interface LaneWrites {
  readonly runs: readonly RunWrite[];
  readonly timers: readonly NewTimer[];
  /** Ids of timers to delete. */
  readonly cancelled: readonly string[];
  /** Ids of runs whose unsent items are given up. */
  readonly withdrawn: readonly string[];
  /** Reason for giving up all unsent items of the lane, such as an opt-out; absent: they stay queued. */
  readonly clearsLane?: string;
  /** Slots (limits on the concurrent runs of a rule) that the interpretation depends on, with their holders as read. */
  readonly slots: readonly SlotSeen[];
  readonly sources: readonly RuleSource[];
  readonly state: readonly StateWrite[];
  readonly items: readonly NewItem[];
  /** Hand-overs to people. */
  readonly escalations: readonly NewEscalation[];
}

/** Everything that follows from one lane event: writes for one transaction, then effects and log lines. */
export interface Interpretation extends LaneWrites {
  /** Decision on an event, as plain data. */
  readonly decision?: KeptDecision;
  /** Verdicts of the rules on an event. They are counted and not stored, since they can be computed again. */
  readonly verdicts?: Pick<Decision, "judged" | "ruledOut">;
  /** Effects to perform once the writes are stored. */
  readonly effects: readonly RunEffect[];
  /** Lines to log once the writes are stored. */
  readonly logs: readonly RunLogLine[];
}

/** Stored part of a decision. It suffices for `explain` to compute the verdicts of any number of rules again. */
export interface KeptDecision {
  /** Handle of the account; absent if no rule is limited to accounts by their handles. */
  readonly username?: string;
  /** Revision of the ruleset. */
  readonly revision?: string;
  /** Ids of the rules that ran. */
  readonly ran: readonly string[];
  /** Time of the decision in milliseconds since the epoch, by the platform's clock. */
  readonly now?: number;
  /** User state that the decision read, by key. Keys without a value are absent. */
  readonly read?: Readonly<Record<string, Json>>;
  /** Id of the waiting run that took the event as its answer. Only rules that interrupt were evaluated. */
  readonly takenBy?: string;
  /** Refusal, if the event was no valid answer and the run asked again. */
  readonly refused?: RefusedAnswer;
  /** Ids of the waiting runs that the event ended, because the person cancelled their questions (`cancel_on`). */
  readonly cancelled?: readonly string[];
  /** Reason why rules and bots were silent, such as `escalation 12`. Rules that interrupt ran nevertheless. */
  readonly paused?: string;
  /** Set if the event is an edit that was not decided on as a new post: an earlier version was answered. */
  readonly editAlone?: true;
  /** Reason why no rule was evaluated, for example a group's message for which no rule or bot listens. */
  readonly reason?: string;
}

/** Result of continuing a run. */
export interface WentOn extends Interpretation {
  /** Counts that the steps of the run have reached, in order. */
  readonly counted: readonly CountReached[];
  /** Final state of the run, if it has ended. */
  readonly ended?: RunState;
}

/** Line for the runtime's log that a run caused, by a step `log`, a failure or a hand-over. */
export interface RunLogLine {
  readonly level: LogLevel;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Interpretation of an input from which nothing follows. */
export const NOTHING: Interpretation = {
  runs: [],
  timers: [],
  cancelled: [],
  withdrawn: [],
  slots: [],
  sources: [],
  state: [],
  items: [],
  escalations: [],
  effects: [],
  logs: [],
};

/** Whether a run is still open: it has an effect to perform, or it waits (for an item, a timer or an event). */
export function isOpen({ runs }: Interpretation): boolean {
  return runs.some(({ status }) => status === "ready" || status === "waiting");
}

/** Combines several interpretations into one. */
export function joined(parts: readonly Interpretation[]): Interpretation {
  // Hot path: mostly, only one part has elements in a list, so that its list is used without a copy.
  const merged = <T>(listOf: (part: Interpretation) => readonly T[]): readonly T[] => {
    let elements: readonly T[] = [];
    for (const part of parts) {
      const more = listOf(part);
      if (more.length > 0) elements = elements.length === 0 ? more : [...elements, ...more];
    }
    return elements;
  };
  return {
    runs: merged(({ runs }) => runs),
    timers: merged(({ timers }) => timers),
    cancelled: merged(({ cancelled }) => cancelled),
    withdrawn: merged(({ withdrawn }) => withdrawn),
    slots: merged(({ slots }) => slots),
    sources: merged(({ sources }) => sources),
    state: merged(({ state }) => state),
    items: merged(({ items }) => items),
    escalations: merged(({ escalations }) => escalations),
    effects: merged(({ effects }) => effects),
    logs: merged(({ logs }) => logs),
  };
}
