import * as z from "zod";
import type { Path } from "../../config/yaml-document.ts";
import type { StepContext } from "./step-context.ts";
import type { Trigger } from "../../events/triggers.ts";
import type { CompiledCondition } from "../evaluation/evaluation.ts";
import type { KnownTypes } from "../expression/types/known-types.ts";
import type { Step, StepBody } from "../run/step.ts";

/** In the place of a block: each entry of a list or map. */
export const EACH = "*";

/** A verb of the rule language: how it is written, and what it is compiled to. */
export interface StepKind {
  /** The verb's own key first, then the keys that may stand beside it and mean something to it. */
  readonly shape: z.ZodRawShape;
  /** A rule that does it: what `explain` and the reference show. */
  readonly example: string;
  /** A field of the event that the verb can't do without. */
  readonly needs?: FieldNeed;
  /** Places of the verb under which steps stand: `then`, or `ask`, `on_timeout`; {@link EACH} of a list or map. */
  readonly blocks?: readonly (readonly string[])[];
  /** What its result has besides `ok`, `result` and `error`. */
  readonly gives?: readonly ("text" | "captures" | "status" | "json" | "ids" | "people")[];
  /** It is something from outside that may fail, and be tried again. What asks for an action is so anyway. */
  readonly triesAnew?: true;
  /** It waits for others, and may be given up when that takes too long. */
  readonly takesTime?: true;
  /** Compiles the verb when it stands alone, as a word in place of a map. Absent: it can't. */
  readonly bare?: (context: StepContext, path: Path) => StepBody | undefined;
  /** Compiles a step whose keys fit `shape`. Problems go to the context. */
  readonly compile: (step: WrittenStep<unknown>) => StepBody | undefined;
}

export interface FieldNeed {
  readonly field: string;
  /** What people call it: `a post`. */
  readonly what: string;
}

/** A step as the rule file has it. */
export interface WrittenStep<Keys> {
  readonly context: StepContext;
  /** Where the whole step stands. */
  readonly path: Path;
  /** The keys of the verb's shape, checked. */
  readonly keys: Keys;
  /** Compiles the steps at a place of this step, as in `blocks`. */
  readonly block: (...keys: Path) => readonly Step[];
  /** Compiles as `block` does, where more is known of the types of values. */
  readonly blockKnowing: (known: Partial<KnownTypes>, ...keys: Path) => readonly Step[];
  /** Compiles the steps of the rule that this step runs. Problems go to the context. */
  readonly called: (call: WrittenCall) => Pick<StepBody, "calls" | "blocks"> | undefined;
  /** For what is asked of an event that the step waits for. */
  readonly onEvent: (trigger: Trigger) => EventConditions;
}

/** Call of another rule, as a step has it. */
export interface WrittenCall {
  /** Id of the rule, as the step names it. */
  readonly id: string;
  /** Values of the rule's variables, by name. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** Compiles what is asked of an event. Problems go to the context. */
export interface EventConditions {
  /** The list at `path`: all of it must hold. */
  readonly conditions: (path: Path) => readonly CompiledCondition[];
  /** The matcher at `path` of the field `name`. */
  readonly field: (name: string, path: Path) => CompiledCondition | undefined;
}

/** A kind of step whose `compile` sees its keys with the types of its shape. */
export function defineStep<Shape extends z.ZodRawShape>(
  kind: Omit<StepKind, "compile" | "shape"> & {
    readonly shape: Shape;
    readonly compile: (step: WrittenStep<z.infer<z.ZodObject<Shape>>>) => StepBody | undefined;
  },
): StepKind & { readonly shape: Shape } {
  const schema = z.object(kind.shape);
  return { ...kind, compile: (step) => kind.compile({ ...step, keys: schema.parse(step.keys) }) };
}
