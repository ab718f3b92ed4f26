import type { AccountEvent } from "../../events/event.ts";
import type { TriggerName } from "../evaluation/evaluation.ts";
import type { Position } from "./step.ts";
import type { Json } from "../../protocol/json.ts";

/** Times of a run, and the slot that it waits for or holds. */
interface RunTimes {
  /** Start of the run, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Time until which a rule's limit delays the run, in milliseconds since the epoch. Absent once the run has begun. */
  readonly startsAt?: number;
  /**
   * Name of the slot (concurrency limit) that the runs of the same rule and key share. Absent if the rule has no
   * `mode`.
   */
  readonly slot?: string;
  /**
   * Latest time until which the run waits for its slot, in milliseconds since the epoch. Absent once the run has begun.
   */
  readonly queuedUntil?: number;
  /** Deadline by the rule's timeout, in milliseconds since the epoch. */
  readonly deadline?: number;
  /** Whether the deadline has passed: the run then executes the rule's steps for errors. */
  readonly timedOut?: true;
  /** Time of the person's last answer, in milliseconds since the epoch. */
  readonly heardAt?: number;
}

/** Progress of a run through the steps of its rule. */
interface RunProgress {
  /** Current or next step. */
  readonly position: Position;
  /** Results by label of the step: `actions[0]`. */
  readonly results: Readonly<Record<string, StepResult>>;
  /**
   * Steps with conditions that the run has reached, by label: the index of the first condition that held, or the number of
   * conditions if none held. For repeated steps, the value of the last round.
   */
  readonly ways?: Readonly<Record<string, number>>;
  /** Last failure. Expressions of `on_error` read it as `error`. */
  readonly error?: RunError;
  /** State of the step that listens, which may be the step after the current one. */
  readonly listening?: Listening;
  /** Current rounds of repeating steps, by label of the step. */
  readonly rounds?: Readonly<Record<string, Round>>;
  /** Number of rounds begun, over all steps. */
  readonly roundsBegun?: number;
  /** Attempts of the current step, if it can be retried. */
  readonly attempts?: Attempts;
  /** Open branches, if the run is at a step with parallel branches. Each branch is a separate run. */
  readonly parallel?: OpenBranches;
  /**
   * Key of a request that must not be repeated. Stored before the request is sent, since a crash may follow the send.
   */
  readonly sentOnce?: string;
}

/**
 * Run of a rule, between two steps. Plain JSON: the runtime stores it each time the run needs something from outside, and
 * resumes it after a restart with the stored revision of the rule.
 */
export interface RunState extends RunTimes, RunProgress {
  readonly ruleId: string;
  /** Revision of the rule, not of the ruleset. */
  readonly revision: string;
  readonly event: AccountEvent;
  readonly trigger: TriggerName;
  readonly vars: Vars;
  /** Texts of the named groups of patterns. Absent if the rule has no named groups. */
  readonly captures?: Readonly<Record<string, string>>;
  /** Variables of the called rules, by label of the calling step. */
  readonly calls?: Readonly<Record<string, Vars>>;
  /** Branch that this run is, if it is a parallel branch of another run. */
  readonly branch?: Branch;
  readonly ended?: RunEnd;
}

/** Values of a rule's variables. */
export type Vars = Readonly<Record<string, Json>>;

/** Parallel branches of a step that have not ended. */
export interface OpenBranches {
  /** Label of the step. */
  readonly step: string;
  /** Names of the branches that have not ended. */
  readonly open: readonly string[];
  /** Error of the first branch that failed. */
  readonly failed?: FailedStep;
  /** Deadline of the step, in milliseconds since the epoch. */
  readonly until?: number;
}

/** Parallel branch of a step: a run that ends with the last step of the branch. */
export interface Branch {
  readonly name: string;
  /** Label of the step with the branches. */
  readonly step: string;
  /** Length of the position of the step with the branches. Positions of steps in a branch are longer. */
  readonly depth: number;
  /** Whether the step `stop` has ended the branch, so that the whole run ends. */
  readonly stops?: true;
}

/** Attempts of a step that can be retried. */
export interface Attempts {
  /** Label of the step. */
  readonly step: string;
  /** Number of the current or last attempt; the first is 1. */
  readonly number: number;
  /** Start of the first attempt, in milliseconds since the epoch. */
  readonly since: number;
  /** Failure of the last attempt. Set until the next attempt begins. */
  readonly failed?: FailedStep;
  /** Start of the next attempt, in milliseconds since the epoch. */
  readonly until?: number;
}

/** State of a step that waits for a person. */
export interface Listening {
  /** Label of the step. */
  readonly step: string;
  /** Start of listening, in milliseconds since the epoch. Earlier texts are no answers. */
  readonly since: number;
  /** Number of questions so far, including the current one; 0 for a step without a question. */
  readonly asked: number;
  /** Whether the question is sent, so that only the answer is missing. */
  readonly sent?: true;
  /** Deadline for the answer, in milliseconds since the epoch. Set once only the answer is missing. */
  readonly until?: number;
  /** Answer that arrived before the send of the previous step was confirmed. */
  readonly answer?: Answer;
}

/** Round of repeated steps. */
export interface Round {
  /** Number of the round, from 1. */
  readonly index: number;
  /** List with one item per round. Absent without `for_each`. */
  readonly items?: readonly Json[];
}

/** Answer to a step that listens. */
export interface Answer {
  /** Text of the event; absent if the event has none. */
  readonly text?: string;
  /** Texts of the named groups of the pattern. */
  readonly captures: Readonly<Record<string, string>>;
  /** Listed answer that the text equals; absent if the question lists none. */
  readonly choice?: string;
}

/** Result of a step. Its optional members depend on the verb. */
export type StepResult = Partial<Answer> & {
  /** Status of the response of the platform or of a service. */
  readonly status?: number;
  /** Body of the response of a service. */
  readonly json?: Json;
  /** Pause in milliseconds that a service asks for before another attempt. */
  readonly retryAfterMs?: number;
  /** Ids of the sent posts of a thread, or of the messages, in their order; after a failure, of the parts before it. */
  readonly ids?: readonly string[];
  /** Number of different people who caused the events of a `count` step. */
  readonly people?: number;
  /** The result is from an earlier round of a `repeat`: traces have it, and expressions do not read it. */
  readonly past?: true;
  /** Reason why the text is held back until the operator decides; absent if the text is not held back. */
  readonly held?: string;
} & (
    | { readonly ok: true; readonly result: Json }
    | { readonly ok: false; readonly error: StepError }
  );

export type FailedStep = Extract<StepResult, { readonly ok: false }>;

export interface StepError {
  /** Code in kebab-case, or the platform's own code. Rules may compare this text. */
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
