import * as z from "zod";
import type { Mistake, Problem } from "../../config/problem.ts";
import type { NumberGroup } from "../expression/patterns/number-groups.ts";
import type { FieldEvaluation } from "../lists/list-form.ts";
import type { FieldType, FieldValue } from "../../events/fields.ts";
import type { OpeningHours } from "../../hours/opening-hours.ts";
import type { RuleList } from "../lists/rule-list.ts";

/** Test of a field's value. An absent value passes only `exists: false`. */
export interface FieldTest {
  (value: FieldValue, evaluation: FieldEvaluation): boolean;
  /** Named groups of the operator's patterns, if any. */
  readonly captures?: FieldCaptures;
  /** Lists that the operator uses, if any. */
  readonly lists?: readonly RuleList[];
}

/** Texts of the named groups of a pattern. A group without a part in the match has an empty text. */
export interface FieldCaptures {
  readonly names: readonly string[];
  /** Named groups whose text is always a number. */
  readonly numbers: ReadonlyMap<string, NumberGroup>;
  /** Returns the text of each named group; `undefined` if no pattern matches. */
  readonly of: (
    value: FieldValue,
    evaluation: FieldEvaluation,
  ) => Readonly<Record<string, string>> | undefined;
}

/** Operator of conditions on a field. */
export interface Operator {
  /** Schema of the operand. Editors show its description. */
  readonly operand: z.ZodType;
  /** Example for `explain` and the reference: keys of a rule with the operator. */
  readonly example: string;
  /** Types of the fields that the operator can test. */
  readonly types: readonly FieldType[];
  /**
   * Whether the operand is read as written for a text field: `0123` then means four characters instead of the number
   * 123.
   */
  readonly asWritten?: true;
  /**
   * Folds the texts of the operand before `compile`, unless case counts. The value names the part of the event's text
   * that an operand must match. White space of the operand is removed at both ends for `whole`, at one end for `start`
   * or `end`, nowhere for `part`.
   */
  readonly folds?: "part" | "whole" | "start" | "end";
  /** Compiles the operator with an operand that fits the schema. */
  readonly compile: (operand: unknown, use: OperatorUse) => FieldTest | OperandFault;
}

/** Field of a condition, and the definitions that its operand may name. */
export interface OperatorUse {
  readonly type: FieldType;
  /** Whether case and compatibility forms count. */
  readonly cased: boolean;
  /** Whether the field holds handles. An `@` before a handle is not part of the handle. */
  readonly isHandle?: boolean;
  /** Finds a list by name, or by the path of its file. */
  readonly list: (name: string) => RuleList | OperandFault;
  /** Finds opening hours by name. */
  readonly hours: (name: string) => OpeningHours | OperandFault;
}

/** Reason why an operand can't be used. `part` is the wrong part of the operand. */
export type OperandFault =
  | {
      readonly mistake: Mistake;
      readonly part?: { readonly text: string; readonly offset?: number; readonly length?: number };
    }
  /** The operand names a definition with problems. They are reported at the definition. */
  | { readonly problems: readonly Problem[] };

/** Defines an operator whose `compile` receives the operand with the type of its schema. */
export function defineOperator<Operand>(
  operator: Omit<Operator, "compile" | "operand"> & {
    readonly operand: z.ZodType<Operand>;
    readonly compile: (operand: Operand, use: OperatorUse) => FieldTest | OperandFault;
  },
): Operator {
  const { operand: schema, compile } = operator;
  return { ...operator, compile: (operand, use) => compile(schema.parse(operand), use) };
}

/** Returns the operand as a list: a single value becomes a list of one. */
export function listOf<T>(operand: T | readonly T[]): readonly T[] {
  return isList(operand) ? operand : [operand];
}

function isList<T>(operand: T | readonly T[]): operand is readonly T[] {
  return Array.isArray(operand);
}
