import * as z from "zod";
import type { Mistake, Problem } from "../../config/problem.ts";
import type { NumberKind } from "../expression/patterns/number-groups.ts";
import type { FieldEvaluation } from "../lists/list-form.ts";
import type { FieldType, FieldValue } from "../../events/fields.ts";
import type { OpeningHours } from "../../hours/opening-hours.ts";
import type { RuleList } from "../lists/rule-list.ts";

/** Does the value pass? A value that the event doesn't have passes `exists: false` and nothing else. */
export interface FieldTest {
  (value: FieldValue, evaluation: FieldEvaluation): boolean;
  /** Only of patterns with named groups: what these hold. */
  readonly captures?: FieldCaptures;
  /** Only where lists are asked: these. */
  readonly lists?: readonly RuleList[];
}

/** What the named groups of a pattern hold; one that took no part holds an empty text. */
export interface FieldCaptures {
  readonly names: readonly string[];
  /** Those that always hold a number. */
  readonly numbers: ReadonlyMap<string, NumberKind>;
  /** `undefined`: no pattern matches. */
  readonly of: (
    value: FieldValue,
    evaluation: FieldEvaluation,
  ) => Readonly<Record<string, string>> | undefined;
}

/** Something that a field can be asked. */
export interface Operator {
  /** What may stand under it; its description is what editors show. */
  readonly operand: z.ZodType;
  /** A rule that asks it: what `explain` and the reference show. */
  readonly example: string;
  /** Types of fields that it makes sense for. */
  readonly types: readonly FieldType[];
  /** For a text field `0123` means the four characters, not the number: the operand is taken as written. */
  readonly asWritten?: true;
  /**
   * Its texts are folded before `compile` sees them, unless case counts. White space around them goes where they are
   * compared with the `whole` of the event's text, at the outer end where with its `start` or `end`, and stays where
   * they are sought anywhere as a `part`.
   */
  readonly folds?: "part" | "whole" | "start" | "end";
  /** Compiles it with an operand that fits the schema. */
  readonly compile: (operand: unknown, use: OperatorUse) => FieldTest | OperandFault;
}

/** Where an operator is used. */
export interface OperatorUse {
  readonly type: FieldType;
  /** Case counts, and so do compatibility forms. */
  readonly cased: boolean;
  /** The field holds handles: an `@` before one is not part of it. */
  readonly isHandle?: boolean;
  /** The list of that name, or in that file. */
  readonly list: (name: string) => RuleList | OperandFault;
  /** The opening hours of that name. */
  readonly hours: (name: string) => OpeningHours | OperandFault;
}

/** Why an operand can't be used. `part` is the wrong text, and where in it. */
export type OperandFault =
  | {
      readonly mistake: Mistake;
      readonly part?: { readonly text: string; readonly offset?: number; readonly length?: number };
    }
  /** What is wrong stands elsewhere: where the operand's name is defined. */
  | { readonly problems: readonly Problem[] };

/** An operator whose `compile` sees its operand with the type of its schema. */
export function defineOperator<Operand>(
  operator: Omit<Operator, "compile" | "operand"> & {
    readonly operand: z.ZodType<Operand>;
    readonly compile: (operand: Operand, use: OperatorUse) => FieldTest | OperandFault;
  },
): Operator {
  const { operand: schema, compile } = operator;
  return { ...operator, compile: (operand, use) => compile(schema.parse(operand), use) };
}

/** The operand as a list: one value is a list of one. */
export function listOf<T>(operand: T | readonly T[]): readonly T[] {
  return isList(operand) ? operand : [operand];
}

function isList<T>(operand: T | readonly T[]): operand is readonly T[] {
  return Array.isArray(operand);
}
