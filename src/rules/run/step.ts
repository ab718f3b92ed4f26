import type { Action, ActionType } from "../../actions/actions.ts";
import { isAnswering } from "../../actions/answering.ts";
import type { AccountEvent, CountReached } from "../../events/event.ts";
import type { Spot } from "../../config/problem.ts";
import type { Json } from "../../protocol/json.ts";
import type { Evaluated, Expression } from "../expression/expression.ts";
import type { CompiledCondition } from "../evaluation/evaluation.ts";
import type { Trigger } from "../../events/triggers.ts";
import type { ReadState } from "../evaluation/state-view.ts";
import type { View } from "../expression/view.ts";
import type { HandOver } from "./hand-over.ts";
import type { HttpRequest } from "./http-request.ts";
import type { Lookup } from "../../actions/lookup.ts";

/** Position of a step in its rule: `["actions", 0, "then", 1]`. */
export type Position = readonly (string | number)[];

/** Number and times of the attempts of a failing step. */
export interface Retry {
  /** Number of attempts, including the first. */
  readonly attempts: number;
  /** Milliseconds between attempts. Absent: exponential backoff from one second up to an hour. */
  readonly everyMs?: number;
  /** No attempt begins later than this many milliseconds after the first. */
  readonly giveUpMs?: number;
}

/** Step of a rule, compiled from the rule file. */
export interface Step extends StepBody {
  /** Verb as written in the rule; `if` for a branch. */
  readonly verb: string;
  /** Name of the step in results, logs and keys: `actions[0].then[1]`. */
  readonly label: string;
  readonly id?: string;
  /** Condition of the step. The step is skipped if its condition is false. */
  readonly condition?: Expression;
  readonly continueOnError: boolean;
  /** Time limit of one attempt, in milliseconds. */
  readonly timeoutMs?: number;
  readonly retry?: Retry;
  /** Steps that run after a failure of this step. */
  readonly onError: readonly Step[];
}

/** Repetition of a block of steps, controlled by one of `count`, `items`, `before` and `after`. */
export interface Repeats {
  /** Key of the repeated block. */
  readonly block: string;
  /** Maximum number of rounds. The step fails if more rounds would be necessary. */
  readonly max: number;
  readonly count?: number;
  /** Returns a list. The block has one round per item of this list. */
  readonly items?: (view: View) => Evaluated<readonly Json[]>;
  /** CEL type of the items; absent without a list. */
  readonly itemType?: string;
  /** Condition before each round: the rounds go on while it holds. */
  readonly before?: Expression;
  /** Condition after each round: the rounds go on until it holds. */
  readonly after?: Expression;
}

/** Rules whose open runs a step ends. */
export interface StopsRuns {
  readonly rules: readonly StoppedRule[];
  /** Key of the runs to end. Absent: the person's runs end. */
  readonly key?: string;
}

/** Rule whose runs a step ends. */
export interface StoppedRule {
  /** Id as written in the step. */
  readonly written: string;
  /** Possible ids, in order of precedence: as a rule of the file, then as a rule of the project. */
  readonly ids: readonly string[];
  /** Position in the file at which the step names the rule. */
  readonly at: Spot;
}

/** Other rule that a step calls. */
export interface CallsRule {
  readonly id: string;
  /** Path of the file of the called rule. */
  readonly file: string;
  /** Labels of the called rule's steps, by step id. */
  readonly stepIds: ReadonlyMap<string, string>;
  /** CEL types of the called rule's variables, by name. */
  readonly variableTypes: ReadonlyMap<string, string>;
  /** Evaluates the called rule's variables with the view of the calling step. */
  readonly vars: (view: View) => Evaluated<Readonly<Record<string, Json>>>;
}

/** Names of the blocks of a step that calls a rule: the steps of the called rule, and its `on_error` steps. */
export const [IN_CALLED, ON_CALLED_ERROR] = ["run", "run.on_error"] as const;

/** Event that a step waits for. */
export interface Listens {
  readonly trigger: Trigger;
  /** Time limit in milliseconds, from the moment at which only the answer is outstanding. */
  readonly withinMs: number;
  /** Conditions that an event must meet to be for this step. The step ignores all other events. */
  readonly conditions: readonly CompiledCondition[];
  /** Condition for a valid answer. After an invalid answer, the step asks again. */
  readonly expect?: CompiledCondition;
  /**
   * Folded texts with which the person ends the run, also with punctuation around them. A text that `expect` accepts is
   * an answer nevertheless.
   */
  readonly cancelOn?: ReadonlySet<string>;
  /** Returns the texts of the named groups that the step's patterns find in a text. */
  readonly captures: (text: string) => Readonly<Record<string, string>>;
  /** Returns the listed answer that a text equals. Absent if no answers are listed. */
  readonly choice?: (text: string) => string | undefined;
  /** Maximum number of times that the question is repeated after invalid answers. */
  readonly retries: number;
}

/** Step that waits for a person. */
export type ListeningStep = Step & { readonly listens: Listens };

export function listensTo(step: Step): step is ListeningStep {
  return step.listens !== undefined;
}

/** Keys of the blocks that run if a waiting step gets no answer in time, or too many invalid answers. */
export const [ON_TIMEOUT, ON_INVALID] = ["on_timeout", "on_invalid"] as const;

/** Key of the block that runs if the step's text is held back until an operator decides. */
export const ON_HELD = "on_held";

/**
 * Returns the step's condition, or the conditions of its blocks. The step enters the block of the first condition that
 * holds.
 */
export function conditionsOf({
  condition,
  ways,
}: Pick<Step, "condition" | "ways">): readonly Expression[] {
  return ways ?? (condition === undefined ? [] : [condition]);
}

/** Part of a step that its verb compiles. */
export interface StepBody {
  /** Conditions of a branch, in order: its `if`, then each `else_if`. */
  readonly ways?: readonly Expression[];
  /** Action that the step requests, if any. */
  readonly action?: ActionType;
  /** Event that the step waits for, if any. A step that also has an action performs the action first. */
  readonly listens?: Listens;
  /** Action that the step requests instead of `action` for some events: `reply` sends a message or publishes a post. */
  readonly otherAction?: ActionType;
  /** Repetition of one of the step's blocks. */
  readonly repeats?: Repeats;
  /** Names of the step's parallel branches, if any. `branchBlock` returns the keys of their blocks. */
  readonly branches?: readonly string[];
  /** Rule that the step calls, if any. */
  readonly calls?: CallsRule;
  /** Queue of people to which the step hands over, if any. */
  readonly queue?: string;
  /** Rules whose runs the step ends, if any. */
  readonly stops?: StopsRuns;
  /** Steps inside this step, by the key of their block. */
  readonly blocks?: Readonly<Record<string, readonly Step[]>>;
  /** Performs the step. Pure: the same run gives the same outcome. */
  readonly perform: (run: StepRun) => StepOutcome;
}

/** Data of the run that a step can read. */
export interface StepRun {
  readonly event: AccountEvent;
  /** Values that expressions can read. */
  readonly view: View;
  /** Current time in milliseconds since the epoch. */
  readonly now: number;
  /** Reads the user state that the rule uses. */
  readonly read: ReadState;
  /** Path of the file of the rule that contains the step. */
  readonly file: string;
  /** Seed of random draws: the same for each execution of this step of this run, and different from all others. */
  readonly seed: string;
  /** Number of the question that the step asks now; 1 for its first question. */
  readonly questionNumber: number;
}

/** Outcome of a step: work for the caller, or the position at which the run continues. */
export type StepOutcome =
  | StepRequest
  | {
      readonly kind: "enter";
      /** Key of a block of the step to enter. */
      readonly block: string;
      /** Index of the first condition in `ways` that held; the number of conditions if none held. */
      readonly way: number;
    }
  | {
      readonly kind: "end";
      readonly outcome: "stopped" | "failed";
      readonly reason: string;
    }
  /** The step can't be performed: a field is absent in the event, or a text is empty. */
  | { readonly kind: "not-ready"; readonly message: string };

/** Request that the caller must fulfil (an action, a call, a log entry and so on) before the run can continue. */
export type StepRequest =
  | { readonly kind: "action"; readonly action: Action }
  | {
      readonly kind: "call";
      /** Path as written in the rule, relative to `file`. */
      readonly module: string;
      readonly export: string;
      readonly with: Json;
      readonly file: string;
    }
  | {
      readonly kind: "http";
      readonly request: HttpRequest;
      /** Whether the request must not be repeated after a crash, because it is not idempotent. */
      readonly once?: true;
    }
  | { readonly kind: "lookup"; readonly lookup: Lookup }
  /** Hands over to a person. Stored in the transaction that ends the step. */
  | { readonly kind: "escalate"; readonly handOver: HandOver }
  | {
      readonly kind: "log";
      readonly level: LogLevel;
      readonly message: string;
      /** The step did nothing, for the reason in the message. Its result is `skipped`. */
      readonly skips?: true;
    }
  /** Ends open runs, in the transaction that ends the step. */
  | {
      readonly kind: "stop-runs";
      /** Possible ids of each rule, as in {@link StoppedRule}. */
      readonly rules: readonly (readonly string[])[];
      /** Key of the runs to end. Absent: the person's runs end. */
      readonly key?: string;
    }
  /** Writes user state, in the transaction that ends the step. */
  | {
      readonly kind: "remember";
      readonly writes: readonly RememberedValue[];
      /** Count that reached a new number by this step. */
      readonly counted?: CountReached;
      /** Result of the step; null if absent. */
      readonly result?: Json;
      /** Number of different people who caused the counted events. */
      readonly people?: number;
    }
  | {
      readonly kind: "timer";
      /** Milliseconds from now until the step is done. */ readonly delayMs: number;
      /** Whether the pause simulates the time to type a text. */
      readonly typing?: true;
    };

/** Write to user state. */
export interface RememberedValue {
  readonly key: string;
  /** Value to store; undefined deletes the entry. */
  readonly value: Json | undefined;
  /** Expiry in milliseconds since the epoch; absent: never. */
  readonly expiresAt?: number;
}

/** Levels of log entries of rules. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Returns `steps` and the steps inside them, at any depth. */
export function allSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [
    step,
    ...allSteps(step.onError),
    ...Object.values(step.blocks ?? {}).flatMap((block) => allSteps(block)),
  ]);
}

/**
 * Returns whether any of `steps`, at any depth, shows a text to a person. By default, the rules of a file with such
 * steps form a group.
 */
export function answers(steps: readonly Step[]): boolean {
  return actionTypes(steps).some(isAnswering);
}

/** Returns the actions that `steps` request, at any depth. */
export function actionTypes(steps: readonly Step[]): ActionType[] {
  return allSteps(steps).flatMap(({ action, otherAction }) =>
    [action ?? [], otherAction ?? []].flat(),
  );
}

/** Returns the block of steps at `position`, and the index in that block. */
export function blockAt(
  blocks: { readonly actions: readonly Step[]; readonly onError: readonly Step[] },
  position: Position,
): { readonly block: readonly Step[]; readonly index: number } {
  let block = position[0] === "on_error" ? blocks.onError : blocks.actions;
  for (let depth = 1; depth + 2 < position.length; depth += 2) {
    const step = block[Number(position[depth])];
    block = (step && innerBlock(step, String(position[depth + 1]))) ?? [];
  }
  return { block, index: Number(position.at(-1)) };
}

function innerBlock(step: Step, name: string): readonly Step[] | undefined {
  return name === "on_error" ? step.onError : step.blocks?.[name];
}

/** Returns the key of a parallel branch in the step's `blocks`: `parallel.NAME`. */
export function branchBlock(name: string): string {
  return `parallel.${name}`;
}
