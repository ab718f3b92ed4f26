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

/** Where a step stands in its rule: `["actions", 0, "then", 1]`. */
export type Position = readonly (string | number)[];

/** How often a step that fails is tried, and when. */
export interface Retry {
  /** In all, the first included. */
  readonly attempts: number;
  /** Milliseconds between two; absent: a second, then twice as long each time, up to an hour. */
  readonly everyMs?: number;
  /** No attempt begins later than this after the first, in milliseconds. */
  readonly giveUpMs?: number;
}

/** A compiled step. */
export interface Step extends StepBody {
  /** As the rule writes it; `if` where steps follow a test. */
  readonly verb: string;
  /** `actions[0].then[1]`: names the step in results, logs and keys. */
  readonly label: string;
  readonly id?: string;
  /** The step is skipped when this is false. */
  readonly condition?: Expression;
  readonly continueOnError: boolean;
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs?: number;
  readonly retry?: Retry;
  /** Steps for when this one fails. */
  readonly onError: readonly Step[];
}

/** How often a block of steps is gone through: by one of `count`, `items`, `before` and `after`. */
export interface Repeats {
  /** Key of the block. */
  readonly block: string;
  /** With more rounds the step has failed. */
  readonly max: number;
  readonly count?: number;
  /** One round for each. */
  readonly items?: (view: View) => Evaluated<readonly Json[]>;
  /** There is one more round as long as it holds, asked before each. */
  readonly before?: Expression;
  /** There is one more round until it holds, asked after each. */
  readonly after?: Expression;
}

/** The rules whose open runs a step ends. */
export interface StopsRuns {
  readonly rules: readonly StoppedRule[];
  /** Key of the runs that the step ends. Absent: the step ends those of the person. */
  readonly key?: string;
}

/** A rule whose runs a step ends. */
export interface StoppedRule {
  /** Its id as the step writes it. */
  readonly written: string;
  /** Ids that it may have, the first before the second: as one of the file, as one of the project. */
  readonly ids: readonly string[];
  /** Place in the file at which the step names the rule. */
  readonly at: Spot;
}

/** Another rule, whose steps a step runs. */
export interface CallsRule {
  readonly id: string;
  /** Its file. */
  readonly file: string;
  /** Labels of its steps by their id. */
  readonly stepIds: ReadonlyMap<string, string>;
  /** Gives its variables, by what the step sees. */
  readonly vars: (view: View) => Evaluated<Readonly<Record<string, Json>>>;
}

/** Blocks of a step that runs another rule: its steps, and its steps for when one of those fails. */
export const [IN_CALLED, ON_CALLED_ERROR] = ["run", "run.on_error"] as const;

/** What a step waits for that somebody else does. */
export interface Listens {
  readonly trigger: Trigger;
  /** How long, in milliseconds from the moment at which nothing else is waited for. */
  readonly withinMs: number;
  /** What is for this step; other events are somebody else's. */
  readonly conditions: readonly CompiledCondition[];
  /** What is good enough; what else is for this step is asked for anew. */
  readonly expect?: CompiledCondition;
  /** Texts, folded, by which the person ends the run; none unless given. What `expect` takes is an answer all the same. */
  readonly cancelOn?: ReadonlySet<string>;
  /** What the named groups of its patterns take in of a text. */
  readonly captures: (text: string) => Readonly<Record<string, string>>;
  /** The listed text that an answer is the same as. Absent: nothing is listed. */
  readonly choice?: (text: string) => string | undefined;
  /** How often it is asked anew. */
  readonly retries: number;
}

/** A step that waits for somebody. */
export type ListeningStep = Step & { readonly listens: Listens };

export function listensTo(step: Step): step is ListeningStep {
  return step.listens !== undefined;
}

/** Steps of a step that listens: for when nobody came in time, and for when nothing was good enough. */
export const [ON_TIMEOUT, ON_INVALID] = ["on_timeout", "on_invalid"] as const;

/** Block of a step that answers: for when the answer is held back. */
export const ON_HELD = "on_held";

/** The conditions that decide whether a step is done, or which way it goes: it goes by the first that holds. */
export function conditionsOf({
  condition,
  ways,
}: Pick<Step, "condition" | "ways">): readonly Expression[] {
  return ways ?? (condition === undefined ? [] : [condition]);
}

/** What a verb makes of a step. */
export interface StepBody {
  /** Conditions of the ways that it may go, in their order. */
  readonly ways?: readonly Expression[];
  /** The action that it asks for, if it asks for one. */
  readonly action?: ActionType;
  /** What it waits for, if it does; before that it performs its action, if it has one. */
  readonly listens?: Listens;
  /** The action that it asks for with some events, where that is another one. */
  readonly otherAction?: ActionType;
  /** How often the steps of one of its blocks are gone through. */
  readonly repeats?: Repeats;
  /** Names of the branches that it goes through side by side, if it does; their blocks are named by `branchBlock`. */
  readonly branches?: readonly string[];
  /** The rule that it runs, if it does. */
  readonly calls?: CallsRule;
  /** The queue of people that it hands over to, if it does. */
  readonly queue?: string;
  /** The rules whose runs it ends, if it does. */
  readonly stops?: StopsRuns;
  /** Steps inside, by the key under which they stand. */
  readonly blocks?: Readonly<Record<string, readonly Step[]>>;
  /** Pure: the same run gives the same outcome. */
  readonly perform: (run: StepRun) => StepOutcome;
}

/** What a step sees of its run. */
export interface StepRun {
  readonly event: AccountEvent;
  /** What expressions see. */
  readonly view: View;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Reads the user state that its rule uses. */
  readonly read: ReadState;
  /** The rule file. */
  readonly file: string;
  /** The same each time this step of this run is performed, and of no other: for what is drawn by lot. */
  readonly seed: string;
  /** How often a step that asks has come to ask, this time included. */
  readonly asked: number;
}

/** What performing a step comes to: something that the caller has to do, or where the run goes on. */
export type StepOutcome =
  | StepRequest
  | {
      readonly kind: "enter";
      /** Key of a block of the step. */
      readonly block: string;
      /** Index of the way that the step goes, from 0; the number of ways where no condition holds. */
      readonly way: number;
    }
  | {
      readonly kind: "end";
      readonly outcome: "stopped" | "failed";
      readonly reason: string;
    }
  /** The step could not be put together: a field that the event doesn't have, an empty text. */
  | { readonly kind: "not-ready"; readonly message: string };

/** What the caller has to do before the run can go on. */
export type StepRequest =
  | { readonly kind: "action"; readonly action: Action }
  | {
      readonly kind: "call";
      /** As written in the rule: relative to `file`. */
      readonly module: string;
      readonly export: string;
      readonly with: Json;
      readonly file: string;
    }
  | {
      readonly kind: "http";
      readonly request: HttpRequest;
      /** It may do something twice where it is made twice: what a crash left under way is not made again. */
      readonly once?: true;
    }
  /** A person is to take over: it is kept in the transition that ends the step. */
  | { readonly kind: "escalate"; readonly handOver: HandOver }
  | {
      readonly kind: "log";
      readonly level: LogLevel;
      readonly message: string;
      /** The step did nothing, for the reason in the message: its result is `skipped`. */
      readonly skips?: true;
    }
  /** Open runs are to end: they do in the transition that ends the step. */
  | {
      readonly kind: "stop-runs";
      /** Ids that each of the rules may have. */
      readonly rules: readonly (readonly string[])[];
      /** Key of the runs; those of the person, where absent. */
      readonly key?: string;
    }
  /** User state is to have these values from now on: it is kept in the transition that ends the step. */
  | {
      readonly kind: "remember";
      readonly writes: readonly RememberedValue[];
      /** The number that a count has reached by the step. */
      readonly counted?: CountReached;
      /** Result of the step; null where it has none. */
      readonly result?: Json;
      /** Different people who were counted. */
      readonly people?: number;
    }
  | {
      readonly kind: "timer";
      /** Milliseconds from now until the step is done. */ readonly delayMs: number;
      /** The pause stands for somebody who types. */
      readonly typing?: true;
    };

/** A value that user state is to have. */
export interface RememberedValue {
  readonly key: string;
  /** Nothing: it is to have none. */
  readonly value: Json | undefined;
  /** Milliseconds since the epoch from which it is forgotten; never, where absent. */
  readonly expiresAt?: number;
}

/** Levels that a rule can log at. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** All of `steps` and the steps inside them, at any depth. */
export function allSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [
    step,
    ...allSteps(step.onError),
    ...Object.values(step.blocks ?? {}).flatMap((block) => allSteps(block)),
  ]);
}

/** Does any of `steps` put words before a person, at any depth? Such rules share a group. */
export function answers(steps: readonly Step[]): boolean {
  return actionTypes(steps).some(isAnswering);
}

/** The actions that `steps` ask for, at any depth. */
export function actionTypes(steps: readonly Step[]): ActionType[] {
  return allSteps(steps).flatMap(({ action, otherAction }) =>
    [action ?? [], otherAction ?? []].flat(),
  );
}

/** The block of steps at `position`, and the index in it. */
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

/** Key of the block of a branch. */
export function branchBlock(name: string): string {
  return `parallel.${name}`;
}
