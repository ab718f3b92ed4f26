import type { AccountEvent } from "../../events/event.ts";
import type { TriggerName } from "../evaluation/evaluation.ts";
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
  /** It waits for its turn until this time, by its rule's limit; absent once it has begun. */
  readonly startsAt?: number;
  /** What it shares with the runs of its rule and key. Absent: its rule has no mode. */
  readonly slot?: string;
  /** It waits for earlier ones to end, until this time at most; absent once it has begun. */
  readonly queuedUntil?: number;
  /** It is to be over by this time, by its rule's timeout; milliseconds since the epoch. */
  readonly deadline?: number;
  /** It was not over by then: what it does now are the rule's steps for an error. */
  readonly timedOut?: true;
  /** When the person said what they were asked, the last time; milliseconds since the epoch. */
  readonly heardAt?: number;
  readonly vars: Vars;
  /** What named groups of the patterns hold that matched. Absent: no pattern of the rule has any. */
  readonly captures?: Readonly<Record<string, string>>;
  /** The step that is next, or under way. */
  readonly position: Position;
  /** By step label: `actions[0]`. */
  readonly results: Readonly<Record<string, StepResult>>;
  /**
   * Steps with conditions that the run has come to, by label: which of the conditions was the first that held, from 0, or
   * their number where none did. Of steps that are repeated, the last time.
   */
  readonly ways?: Readonly<Record<string, number>>;
  /** What failed last: expressions of `on_error` see it as `error`. */
  readonly error?: RunError;
  /** What a step that listens has come to; it may be the step after the one under way. */
  readonly listening?: Listening;
  /** The rounds of steps that repeat others, by their label. */
  readonly rounds?: Readonly<Record<string, Round>>;
  /** Rounds that were begun so far, of all steps together. */
  readonly roundsBegun?: number;
  /** How often the step under way was tried, where it may be tried again. */
  readonly attempts?: Attempts;
  /** Variables of the rules whose steps it runs, by the label of the step that does. */
  readonly calls?: Readonly<Record<string, Vars>>;
  /** It is at a step whose branches go on side by side, each as a run of its own. */
  readonly parallel?: OpenBranches;
  /** It is such a branch. */
  readonly branch?: Branch;
  /** Key of a request that is not to be made twice, from before it is sent: it may have arrived. */
  readonly sentOnce?: string;
  readonly ended?: RunEnd;
}

/** Values of a rule's variables. */
export type Vars = Readonly<Record<string, Json>>;

/** Branches of a step that are under way. */
export interface OpenBranches {
  /** Label of the step. */
  readonly step: string;
  /** Names of those that have not ended. */
  readonly open: readonly string[];
  /** How the first of those has failed that have. */
  readonly failed?: FailedStep;
  /** When the step gives up, in milliseconds since the epoch. */
  readonly until?: number;
}

/** One of the branches of a step, as a run of its own: it ends where its steps end. */
export interface Branch {
  readonly name: string;
  /** Label of the step that it is of. */
  readonly step: string;
  /** Length of that step's position. */
  readonly depth: number;
  /** It has ended by a step that ends the rule. */
  readonly stops?: true;
}

/** How often a step was tried that may be tried again. */
export interface Attempts {
  /** Label of the step. */
  readonly step: string;
  /** The attempt that is under way, or has failed; the first is 1. */
  readonly number: number;
  /** When the first began, in milliseconds since the epoch. */
  readonly since: number;
  /** How it has failed: the next one is to come, or there is none. */
  readonly failed?: FailedStep;
  /** When the next one begins, in milliseconds since the epoch. */
  readonly until?: number;
}

/** How far a step has come that waits for somebody. */
export interface Listening {
  /** Label of the step. */
  readonly step: string;
  /** When it began to listen, in milliseconds since the epoch: what was written before is no answer. */
  readonly since: number;
  /** Questions put so far, the one under way included; 0 for a step that asks nothing. */
  readonly asked: number;
  /** The question has left: now only the person is waited for. */
  readonly sent?: true;
  /** When it gives up, in milliseconds since the epoch; known once nothing else is waited for. */
  readonly until?: number;
  /** What came before the send ahead of the step had settled. */
  readonly answer?: Answer;
}

/** One round through steps that are repeated. */
export interface Round {
  /** From 1 on. */
  readonly index: number;
  /** What is gone through; absent where rounds are only counted. */
  readonly items?: readonly Json[];
}

/** What came for a step that listens. */
export interface Answer {
  /** Of the event; absent where it has none. */
  readonly text?: string;
  /** What the named groups of the pattern took in. */
  readonly captures: Readonly<Record<string, string>>;
  /** The listed text that it is the same as; absent where the question lists none. */
  readonly choice?: string;
}

/** How a step ended. What besides its result it has to show depends on its verb. */
export type StepResult = Partial<Answer> & {
  /** Status of the platform's or a service's answer. */
  readonly status?: number;
  /** Body of a service's answer. */
  readonly json?: Json;
  /** Ids of the posts that were published, in the order of their thread, or of the message. */
  readonly ids?: readonly string[];
  /** Different people whom a step has counted. */
  readonly people?: number;
  /** Why what it says is held back until the operator decides; absent where it is not. */
  readonly held?: string;
} & (
    | { readonly ok: true; readonly result: Json }
    | { readonly ok: false; readonly error: StepError }
  );

export type FailedStep = Extract<StepResult, { readonly ok: false }>;

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
