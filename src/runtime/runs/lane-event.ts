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

/** Something that happened in a lane. */
export type LaneEvent = {
  /** Where rules and bots are silent in the lane; some may be over. Absent: nowhere that was known then. */
  readonly silences?: readonly Silence[];
} &
  /** An account event came in. */
  (
    | {
        readonly kind: "event";
        readonly entry: Entry;
        /** The runs of the lane that listen, the latest first. */
        readonly listeners: readonly RunAndEntry[];
      }
    /** The item that a run waits for was sent, or never will be. */
    | ({ readonly kind: "item-settled"; readonly item: Item } & RunAndEntry)
    /** The time that a run waits for has come. */
    | ({ readonly kind: "timer-due"; readonly timer: NewTimer } & RunAndEntry)
    /** An effect that a run needs was performed. */
    | ({ readonly kind: "effect-settled"; readonly outcome: EffectOutcome } & RunAndEntry)
    /** A handler under way has come to something that is to be kept. */
    | ({ readonly kind: "handler-progress"; readonly progress: Progress } & RunAndEntry)
    /** A request is about to be made that is not to be made twice. */
    | ({ readonly kind: "request-begins"; readonly key: string } & RunAndEntry)
    /** An earlier holder of the lane left a run whose effect is still to be performed. */
    | ({ readonly kind: "run-ready" } & RunAndEntry)
    /** The rule of a run was changed or removed. */
    | ({ readonly kind: "rule-changed" } & RunAndEntry)
  );

/** Something that happened to a run. */
export type RunHappened = Exclude<LaneEvent, { readonly kind: "event" }>;

/** Everything that follows from one thing that happened: what is stored, then what is done. */
export interface Interpretation {
  /** Of an event. Plain data. */
  readonly decision?: KeptDecision;
  /** Of an event: what its rules said. It is counted and not kept, since it can be found again. */
  readonly said?: Pick<Decision, "judged" | "ruledOut">;
  readonly runs: readonly RunWrite[];
  readonly timers: readonly NewTimer[];
  /** Ids of timers that nobody waits for any longer. */
  readonly cancelled: readonly string[];
  /** Ids of runs whose items are given up that have not left. */
  readonly withdrawn: readonly string[];
  /** Why all items of the lane are given up that have not left; absent: they are not. */
  readonly clearsLane?: string;
  /** Slots that it went by, as they were. */
  readonly slots: readonly SlotSeen[];
  readonly sources: readonly RuleSource[];
  readonly state: readonly StateWrite[];
  readonly items: readonly NewItem[];
  /** What people are asked to take over. */
  readonly escalations: readonly NewEscalation[];
  /** To be performed once the above is stored. */
  readonly effects: readonly RunEffect[];
  /** To be logged once the above is stored. */
  readonly logs: readonly RunLogLine[];
}

/**
 * What is kept of a decision: enough to find every rule's verdict again (`explain`), whatever their number.
 */
export interface KeptDecision {
  /** Handle of the account, where rules name the account that they answer for. */
  readonly username?: string;
  /** Of the ruleset. */
  readonly revision?: string;
  /** Ids of the rules that ran. */
  readonly ran: readonly string[];
  /** When it was made, in milliseconds since the epoch, by the platform's clock. */
  readonly now?: number;
  /** User state that it read, by key; what there was none of is left out. */
  readonly read?: Readonly<Record<string, Json>>;
  /** The run that listened and took the event: only the rules that interrupt were asked. */
  readonly takenBy?: string;
  /** That run asked for another answer. */
  readonly refused?: RefusedAnswer;
  /** Why rules and bots were silent, but for rules that interrupt: `escalation 12`. */
  readonly paused?: string;
  /** Why no rule was asked. */
  readonly reason?: string;
}

/** What follows from taking a run on. */
export interface WentOn extends Interpretation {
  /** What its steps have counted, in order. */
  readonly counted: readonly CountReached[];
  /** The run as it has ended. */
  readonly ended?: RunState;
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

/** Whether the run has not ended: what it sends is on its way, or it waits or calls. */
export function isOpen({ runs }: Interpretation): boolean {
  return runs.some(({ status }) => status === "ready" || status === "waiting");
}

/** All that follows from several. */
export function joined(parts: readonly Interpretation[]): Interpretation {
  return {
    runs: parts.flatMap(({ runs }) => runs),
    timers: parts.flatMap(({ timers }) => timers),
    cancelled: parts.flatMap(({ cancelled }) => cancelled),
    withdrawn: parts.flatMap(({ withdrawn }) => withdrawn),
    slots: parts.flatMap(({ slots }) => slots),
    sources: parts.flatMap(({ sources }) => sources),
    state: parts.flatMap(({ state }) => state),
    items: parts.flatMap(({ items }) => items),
    escalations: parts.flatMap(({ escalations }) => escalations),
    effects: parts.flatMap(({ effects }) => effects),
    logs: parts.flatMap(({ logs }) => logs),
  };
}
