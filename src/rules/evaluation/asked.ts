import type { ASTNode } from "@marcbachmann/cel-js";
import type { FieldType } from "../../events/fields.ts";
import type { FieldTest } from "../operators/operator.ts";
import type { StateUse } from "../schema/state-keys.ts";

/** Condition as data. The index uses it to narrow the rules to judge, and the command `why` describes it. */
export type Asked =
  | { readonly kind: "all" | "any"; readonly of: readonly Asked[] }
  | { readonly kind: "not"; readonly of: Asked }
  | FieldAsked
  | { readonly kind: "expression"; readonly source: string; readonly ast: ASTNode };

/** Condition on one field: every test must hold. */
export interface FieldAsked {
  readonly kind: "field";
  /** Path of the field: `message.text`. */
  readonly field: string;
  readonly type: FieldType;
  /** User state that holds the field's value. Absent if the event itself holds the value. */
  readonly use?: StateUse;
  readonly tests: readonly AskedTest[];
}

/** Operator with its operands. */
export interface AskedTest {
  /** Name of the operator in `OPERATORS`. */
  readonly operator: string;
  /** Whether the text is compared with its case, not folded. */
  readonly cased: boolean;
  /**
   * Operands, of which one must hold (for `contains_all`: all). Texts are folded like the event's text (`Evaluation.fold`),
   * unless `cased`. Patterns of `matches` and names of `in_list` are unchanged.
   */
  readonly operands: readonly (string | number | boolean)[];
  /** Returns whether a value of the field passes. */
  readonly test: FieldTest;
}
