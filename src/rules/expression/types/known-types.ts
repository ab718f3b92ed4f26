import type { DeclaredState } from "../state-names.ts";
import type { NumberKind } from "../patterns/number-groups.ts";

/** Types for the check of expressions, narrower than those of their evaluation. */
export interface KnownTypes {
  /** Texts that always hold a number, by path: `captures.n`. */
  readonly numbers: ReadonlyMap<string, NumberKind>;
  /** Ids of steps that wait for a person, with the texts that their question lists as answers. */
  readonly answers: ReadonlyMap<string, readonly string[]>;
  /** CEL types of variables, by name. */
  readonly vars: Readonly<Record<string, string>>;
  /** The CEL type of `repeat.item`, in steps that are repeated for each of a list. */
  readonly item?: string;
  /** State that the rule file declares, by path: `state.sender.score`. */
  readonly state: ReadonlyMap<string, Pick<DeclaredState, "type">>;
}

/** No type is narrower. */
export const NO_TYPES: KnownTypes = {
  numbers: new Map(),
  answers: new Map(),
  vars: {},
  state: new Map(),
};
