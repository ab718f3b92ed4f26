import type { ASTNode } from "@marcbachmann/cel-js";
import type { FieldType } from "../../events/fields.ts";
import type { FieldTest } from "../operators/operator.ts";
import type { StateUse } from "../schema/state-keys.ts";

/** What a condition asks, as data: an index narrows rules by it, and `why` puts it in words. */
export type Asked =
  | { readonly kind: "all" | "any"; readonly of: readonly Asked[] }
  | { readonly kind: "not"; readonly of: Asked }
  | FieldAsked
  | { readonly kind: "expression"; readonly source: string; readonly ast: ASTNode };

/** What is asked of one field: every test must hold. */
export interface FieldAsked {
  readonly kind: "field";
  /** Its path: `message.text`. */
  readonly field: string;
  readonly type: FieldType;
  /** User state that holds its value; absent where the event holds it. */
  readonly use?: StateUse;
  readonly tests: readonly AskedTest[];
}

/** One operator with its operands. */
export interface AskedTest {
  /** Its name in the table of operators. */
  readonly operator: string;
  /** The text is compared as it came, not folded. */
  readonly cased: boolean;
  /**
   * One of them is enough, except for `contains_all`. Texts are folded as the event's text is
   * (`Evaluation.fold`), unless `cased`; those of `matches` are patterns, those of `in_list` names, as written.
   */
  readonly operands: readonly (string | number | boolean)[];
  /** Does a value of the field pass? */
  readonly test: FieldTest;
}
