import * as z from "zod";
import type { ResultFields } from "../../actions/action-result.ts";
import type { Path } from "../../config/yaml-document.ts";
import type { StepContext } from "./step-context.ts";
import type { Trigger } from "../../events/triggers.ts";
import type { CompiledCondition } from "../evaluation/evaluation.ts";
import type { KnownTypes, ResultObject } from "../expression/value-types/known-types.ts";
import type { Step, StepBody } from "../run/step.ts";

/** Wildcard in the path of a block: each entry of a list or map. */
export const EACH = "*";

/** Verb of the rule language: its schema and its compiler. */
export interface StepKind {
  /** Zod schema of the keys: first the key of the verb, then the keys that may be beside it. */
  readonly shape: z.ZodRawShape;
  /** Example for `explain` and the reference: keys of a rule with the verb. */
  readonly example: string;
  /** Field of the event that the verb requires. */
  readonly needs?: FieldNeed;
  /** Whether the step accepts the id of another post, person or message, so that the event need not have one. */
  readonly takesId?: true;
  /**
   * Paths within the step that contain steps: `[then]`, `[ask, on_timeout]`. {@link EACH} is each entry of a list or
   * map.
   */
  readonly blocks?: readonly (readonly string[])[];
  /** Members that `steps.<id>` has after this step, besides `ok`, `result` and `error`. */
  readonly gives?: readonly ("text" | "captures" | "status" | "json" | "ids" | "people")[];
  /** Fields of `result`, for a verb without an action. Fields of actions are in `ACTIONS`. */
  readonly result?: ResultFields;
  /** Returns the type of `result`, for a verb whose result type depends on the step's text in the rule file. */
  readonly resultOf?: (written: unknown) => WrittenResult | undefined;
  /**
   * Whether the step can fail for reasons outside of the rule and be retried. Steps with an action can always be
   * retried.
   */
  readonly triesAnew?: true;
  /** Whether the step may have a `timeout` although it can't be retried, because it waits for other steps. */
  readonly takesTime?: true;
  /** Compiles the verb as a single word in place of a map. Absent: the verb needs a map. */
  readonly bare?: (context: StepContext, path: Path) => StepBody | undefined;
  /** Compiles a step whose keys fit `shape`. Problems go to the context. */
  readonly compile: (step: WrittenStep<unknown>) => StepBody | undefined;
}

/** Type of `steps.<id>.result`: a person or post with the requested fields, or a map with fixed fields. */
export type WrittenResult =
  | { readonly object: ResultObject; readonly result?: never }
  | { readonly result: ResultFields; readonly object?: never };

export interface FieldNeed {
  readonly field: string;
  /** Name of the field in error messages: `a post`. */
  readonly what: string;
}

/** Step in the rule file, for the compiler of its verb. */
export interface WrittenStep<Keys> {
  readonly context: StepContext;
  /** Path of the whole step. */
  readonly path: Path;
  /** Checked keys of the verb's shape. */
  readonly keys: Keys;
  /** Compiles the nested steps at a path within this step, such as `then`. The path must be one of `blocks`. */
  readonly block: (...keys: Path) => readonly Step[];
  /** Compiles like `block`. Expressions in the nested steps can also read the values in `knownTypes`. */
  readonly blockKnowing: (knownTypes: Partial<KnownTypes>, ...keys: Path) => readonly Step[];
  /** Compiles the steps of the rule that this step runs. Problems go to the context. */
  readonly called: (call: WrittenCall) => Pick<StepBody, "calls" | "blocks"> | undefined;
  /** Returns the compiler of the conditions on the event for which this step waits. */
  readonly onEvent: (trigger: Trigger) => EventConditions;
}

/** Call of another rule, as written in a step. */
export interface WrittenCall {
  /** Id of the rule, as written in the step. */
  readonly id: string;
  /** Values of the rule's variables, by name. */
  readonly passedValues: Readonly<Record<string, unknown>>;
}

/** Compiler of the conditions under which a waiting step accepts an event. Problems go to the context. */
export interface EventConditions {
  /** Compiles the list at `path`, of which all conditions must hold. */
  readonly conditions: (path: Path) => readonly CompiledCondition[];
  /** Compiles the matcher at `path` for the field `name`. */
  readonly field: (name: string, path: Path) => CompiledCondition | undefined;
}

/** Defines a kind of step whose `compile` receives the keys with the types of its shape. */
export function defineStep<Shape extends z.ZodRawShape>(
  kind: Omit<StepKind, "compile" | "shape"> & {
    readonly shape: Shape;
    readonly compile: (step: WrittenStep<z.infer<z.ZodObject<Shape>>>) => StepBody | undefined;
  },
): StepKind & { readonly shape: Shape } {
  const schema = z.object(kind.shape);
  return { ...kind, compile: (step) => kind.compile({ ...step, keys: schema.parse(step.keys) }) };
}
