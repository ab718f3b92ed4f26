import type { ActionResult } from "../../actions/action-result.ts";
import type { Spot } from "../../config/problem.ts";
import type { AccountEvent, Person } from "../../events/event.ts";
import type { FieldValue } from "../../events/fields.ts";
import type { Json } from "../../protocol/json.ts";
import type { Verdict } from "../../rules/decide.ts";
import type { DecidedCondition } from "../words/decided-conditions.ts";
import type { RefusedAnswer } from "../../rules/run.ts";
import type { Answers, EntrySource, ItemStatus, RunStatus } from "../../runtime/vocabulary.ts";
import type { TraceOutcomeWord } from "./outcome/outcome-words.ts";
import type { TraceRepair } from "./outcome/repair.ts";

/** Trace of an event and its results, as plain JSON. Times are milliseconds since 1970, by the platform's clock. */
export interface Trace {
  readonly outcome: TraceOutcome;
  readonly event: TraceEvent;
  readonly times: TraceTimes;
  /** The stored body of the event. */
  readonly raw: Json;
  readonly decision: TraceDecision;
  /** Verdict of each rule with a trigger for the event, in the order of evaluation. */
  readonly verdicts: readonly TraceVerdict[];
  readonly runs: readonly TraceRun[];
  /** Outbox items of the event's runs, oldest first. */
  readonly items: readonly TraceItem[];
  readonly state: TraceState;
  /** Hand-overs to people that the event's runs requested, oldest first. */
  readonly escalations: Answers["escalations"];
}

/** Outcome of an event: a word, and a sentence without a full stop. */
export interface TraceOutcome {
  readonly word: TraceOutcomeWord;
  readonly reason: string;
  /** Step that makes the bot answer. Absent: no step is needed. */
  readonly repair?: TraceRepair;
}

/** Kind of an event. */
interface EventKinds {
  readonly kind: AccountEvent["kind"];
  readonly triggers: AccountEvent["triggers"];
  readonly direction: AccountEvent["direction"];
}

/** The event that a trace is about, with its person, text and times. */
export interface TraceEvent extends EventKinds {
  readonly seq: number;
  readonly key: string;
  readonly lane: string;
  /** The bot account that received the event. */
  readonly account: { readonly id: string; readonly username?: string };
  /** Person who caused the event. Absent: no person did. */
  readonly person?: Person;
  /** Text of the event. Absent: the event has no text. */
  readonly text?: string;
  /** The event in words, such as `dm.received from @ann: "hello"`. */
  readonly inWords: string;
  /** Fields that rules can read, by path; fields without a value are left out. */
  readonly fields: Readonly<Record<string, Exclude<FieldValue, undefined>>>;
  readonly source: EntrySource;
  /** Whether the event arrived late, by a replay of missed events or a backfill. */
  readonly replayed: boolean;
}

/** Times of an event. Repeated deliveries are not recorded: duplicates are dropped by their key. */
export interface TraceTimes {
  readonly happened: number;
  readonly arrived: number;
  readonly decided?: number;
}

/** Stored decision on an event. */
export interface TraceDecision {
  /** Revision of the rules that decided. Absent: no rules decided. */
  readonly revision?: string;
  /** Whether the rules have changed since the decision. The verdicts are always those of the current rules. */
  readonly rulesChanged: boolean;
  /** Ids of the rules that ran when the event was decided. */
  readonly ran: readonly string[];
  /** Id of the run that took the event as an answer. Only rules that may interrupt a question were then evaluated. */
  readonly takenBy?: string;
  /** Ids of the runs that the event ended, because the person cancelled their questions. Absent: there are none. */
  readonly cancelled?: readonly string[];
  /** Refusal of the answer, if the run in `takenBy` expected another kind of answer. */
  readonly refused?: RefusedAnswer;
  /** Reason why nothing was decided. */
  readonly undecided?: string;
  /** Number of failed attempts to decide. */
  readonly attempts: number;
}

/** Whether one rule ran for the event and why, with the place in the rule file and a sentence for people. */
export interface TraceVerdict extends Omit<Verdict, "clause"> {
  /** The first failed clause, or the clause that blocked the rule. */
  readonly clause?: NonNullable<Verdict["clause"]>;
  /** The verdict in one line. */
  readonly inWords: string;
  /** Place in the rule file: of `clause`, else of the rule. */
  readonly at: Spot;
}

/** Rule or bot of a run. */
interface TraceRunOwner {
  /** Owner of the run: `rule:<id>` or `bot:<name>`. */
  readonly owner: string;
  readonly rule?: string;
  readonly bot?: string;
  readonly revision: string;
  /** Whether the rule was changed or removed since the run. Data from its file, such as verbs, is then absent. */
  readonly ruleChanged: boolean;
}

/** Run of a rule or bot for the event. */
export interface TraceRun extends TraceRunOwner {
  readonly id: string;
  readonly status: RunStatus;
  /** End of the run, or its current wait, in words. */
  readonly inWords: string;
  /** Start of the run; absent if it was not stored. */
  readonly startedAt?: number;
  /** Steps in the order in which they ended; the current step is last. */
  readonly steps: readonly TraceStep[];
  /** Evaluated conditions of the run's steps, in the order of evaluation; empty for a bot. */
  readonly conditions: readonly DecidedCondition[];
  /** Things for which the run waits. There are several if its branches or a bot's calls run in parallel. */
  readonly waitsFor: readonly TraceWait[];
  /** Name of the branch, and id of its main run; absent if the run is not a branch. */
  readonly branch?: { readonly name: string; readonly of: string };
}

/** A step of a run. Its times are known only if it sent something. */
export interface TraceStep {
  /** Label of the step, such as `actions[0].then[1]`. */
  readonly label: string;
  /** Verb of the step. Absent: the rule has changed. */
  readonly verb?: string;
  readonly at?: Spot;
  readonly state: "ok" | "failed" | "under-way";
  /** Result of the step; absent if it is null. */
  readonly result?: Json;
  readonly error?: { readonly code: string; readonly message: string };
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Ids of the step's outbox items. */
  readonly items: readonly number[];
}

/** Something for which a run waits. */
export interface TraceWait {
  readonly for: "item" | "time" | "person" | "turn" | "branch" | "effect" | "bot";
  /** Key of the outbox item, label of the step, name of the branch, or name of the bot's call. */
  readonly name: string;
  readonly until?: number;
}

/** Times of an outbox item, in milliseconds since the epoch. */
interface TraceItemTimes {
  /** Earliest time at which the item may be sent. */
  readonly notBefore: number;
  /** Start of the last attempt to send the item. */
  readonly startedAt?: number;
  readonly settledAt?: number;
}

/** An outbox item of a run. */
export interface TraceItem extends TraceItemTimes {
  readonly id: number;
  readonly key: string;
  readonly run: string;
  /** Name of the verb, such as `reply_dm`. */
  readonly type: string;
  readonly inWords: string;
  readonly text?: string;
  readonly status: ItemStatus;
  readonly attempts: number;
  readonly reason?: string;
  readonly platformId?: string;
  /** Result of the action, if it was sent. */
  readonly result?: ActionResult;
}

/** User state before and after the event, as far as its values are stored. */
export interface TraceState {
  /** Values that the decision read, by storage key. A key is absent if it had no value or was not read. */
  readonly before: Readonly<Record<string, Json>>;
  /** Writes to user state by the event's runs. */
  readonly after: readonly TraceWrite[];
}

/** A write to user state. */
export interface TraceWrite {
  /** Name of the value, such as `state.sender.city`, `count abuse` or `cooldown of hours`. */
  readonly name: string;
  readonly run: string;
  /** Label of the step that wrote the value. Absent: the rule itself wrote it, such as its cooldown. */
  readonly step?: string;
  /** Value before the write, if the decision read it. */
  readonly from?: Json;
  /** New value. Absent: an expression computed it, so it is not stored. */
  readonly to?: Json;
}
