import type { Spot } from "../../config/problem.ts";
import type { AccountEvent, Person } from "../../events/event.ts";
import type { FieldValue } from "../../events/fields.ts";
import type { Json } from "../../protocol/json.ts";
import type { Verdict } from "../../rules/decide/decision.ts";
import type { DecidedCondition } from "../words/decided-conditions.ts";
import type { RefusedAnswer } from "../../rules/run/listen.ts";
import type { Answers } from "../../runtime/control/contract.ts";
import type { EntrySource } from "../../runtime/store/entry.ts";
import type { ItemStatus } from "../../runtime/store/item.ts";
import type { RunStatus } from "../../runtime/store/run.ts";
import type { TraceOutcomeWord } from "./outcome/outcome-words.ts";
import type { TraceRepair } from "./outcome/repair.ts";

/** What became of an event, as plain JSON. All times are milliseconds since the epoch, by the platform's clock. */
export interface Trace {
  readonly outcome: TraceOutcome;
  readonly event: TraceEvent;
  readonly times: TraceTimes;
  /** What came, as it is kept. */
  readonly raw: Json;
  readonly decision: TraceDecision;
  /** What each rule that listens says of it, in the order in which they are asked. */
  readonly verdicts: readonly TraceVerdict[];
  readonly runs: readonly TraceRun[];
  /** What was to be sent, oldest first. */
  readonly items: readonly TraceItem[];
  readonly state: TraceState;
  /** What people were asked to take over, oldest first. */
  readonly escalations: Answers["escalations"];
}

/** What became of an event, in a word and a sentence without a full stop. */
export interface TraceOutcome {
  readonly word: TraceOutcomeWord;
  readonly reason: string;
  /** Step that ends the silence. Absent: there is nothing to do. */
  readonly repair?: TraceRepair;
}

/** The event itself. */
export interface TraceEvent {
  readonly seq: number;
  readonly key: string;
  readonly kind: AccountEvent["kind"];
  readonly triggers: AccountEvent["triggers"];
  readonly direction: AccountEvent["direction"];
  readonly lane: string;
  /** The bot account that it came for. */
  readonly account: { readonly id: string; readonly username?: string };
  /** Who did it; absent where nobody did. */
  readonly person?: Person;
  /** What they said; absent where it has no text. */
  readonly text?: string;
  /** `dm.received from @ann: "hello"`. */
  readonly inWords: string;
  /** What rules read of it, by path; what it doesn't have is left out. */
  readonly fields: Readonly<Record<string, Exclude<FieldValue, undefined>>>;
  readonly source: EntrySource;
  /** It came late, by a replay or by reading back. */
  readonly replayed: boolean;
}

/** When it came. That the platform delivered it again is kept nowhere: a copy is dropped by its key. */
export interface TraceTimes {
  readonly happened: number;
  readonly arrived: number;
  readonly decided?: number;
}

/** What is kept of the decision. */
export interface TraceDecision {
  /** Revision of the rules that decided; absent where none did. */
  readonly revision?: string;
  /** Other rules decided: the verdicts are what the rules say now. */
  readonly rulesChanged: boolean;
  /** Ids of the rules that ran then. */
  readonly ran: readonly string[];
  /** The run that took it as an answer: only rules that interrupt were asked. */
  readonly takenBy?: string;
  /** That run asked for another answer. */
  readonly refused?: RefusedAnswer;
  /** Why nothing was decided. */
  readonly undecided?: string;
  /** How often deciding has failed. */
  readonly attempts: number;
}

/** What one rule says of it. */
export interface TraceVerdict extends Omit<Verdict, "clause"> {
  /** The clause that failed first, or what kept the rule from running. */
  readonly clause?: NonNullable<Verdict["clause"]>;
  /** In one line. */
  readonly inWords: string;
  /** Where that clause stands in the rule file; of a rule that ran, or that did not for what it does not write, the rule. */
  readonly at: Spot;
}

/** A rule or bot at work on it. */
export interface TraceRun {
  readonly id: string;
  /** `rule:<id>` or `bot:<name>`. */
  readonly owner: string;
  readonly rule?: string;
  readonly bot?: string;
  readonly revision: string;
  /** The rule is another one by now, or is gone: what is told of its steps is what is kept. */
  readonly ruleChanged: boolean;
  readonly status: RunStatus;
  /** How it ended or what it waits for, in words. */
  readonly inWords: string;
  /** Absent where it is not kept. */
  readonly startedAt?: number;
  /** In the order in which they ended; the one under way is last. */
  readonly steps: readonly TraceStep[];
  /** Conditions of its steps that were evaluated, in the order in which it came to them; none of a bot. */
  readonly conditions: readonly DecidedCondition[];
  /** What it waits for; several where its branches or a bot's calls go on side by side. */
  readonly waitsFor: readonly TraceWait[];
  /** It is a branch: its name, and the run that it belongs to. */
  readonly branch?: { readonly name: string; readonly of: string };
}

/** A step of a run. When it ran is known where it sent something. */
export interface TraceStep {
  /** `actions[0].then[1]`. */
  readonly label: string;
  /** As the rule writes it; absent where the rule has changed. */
  readonly verb?: string;
  readonly at?: Spot;
  readonly state: "ok" | "failed" | "under-way";
  /** What it gave, where that is something. */
  readonly result?: Json;
  readonly error?: { readonly code: string; readonly message: string };
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Ids of what it sent. */
  readonly items: readonly number[];
}

/** What a run waits for. */
export interface TraceWait {
  readonly for: "item" | "time" | "person" | "turn" | "branch" | "effect" | "bot";
  /** Key of the item, label of the step, name of the branch or of the bot's call. */
  readonly name: string;
  readonly until?: number;
}

/** Something that was to be sent. */
export interface TraceItem {
  readonly id: number;
  readonly key: string;
  readonly run: string;
  /** The verb: `reply_dm`. */
  readonly type: string;
  readonly inWords: string;
  readonly text?: string;
  readonly status: ItemStatus;
  readonly attempts: number;
  readonly reason?: string;
  readonly platformId?: string;
  /** When it may go at the earliest. */
  readonly notBefore: number;
  /** The last attempt. */
  readonly startedAt?: number;
  readonly settledAt?: number;
}

/** User state around it, as far as it is kept. */
export interface TraceState {
  /** What deciding read, by key as it is kept; of what is not here nothing was there, or nobody asked. */
  readonly before: Readonly<Record<string, Json>>;
  /** What its runs wrote. */
  readonly after: readonly TraceWrite[];
}

/** A value that was written. */
export interface TraceWrite {
  /** `state.sender.city`, `count abuse`, `cooldown of hours`. */
  readonly name: string;
  readonly run: string;
  /** Label of the step; absent where the rule itself did it. */
  readonly step?: string;
  /** What it was before, where deciding read it. */
  readonly from?: Json;
  /** Absent where it is not kept: an expression gave it. */
  readonly to?: Json;
}
