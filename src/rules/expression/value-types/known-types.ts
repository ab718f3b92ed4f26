import type { ResultFields } from "../../../actions/action-result.ts";
import type { LookedUpKind } from "../../../events/looked-up.ts";
import type { DeclaredState } from "../state-names.ts";
import type { NumberGroup } from "../patterns/number-groups.ts";

/** Types for checking expressions, which are more exact than CEL's: `captures.n` holds a number, for example. */
export interface KnownTypes {
  /** Texts that hold a number, by path: `captures.n`. */
  readonly numbers: ReadonlyMap<string, NumberGroup>;
  /** Answers that the question of a step lists, by step id. Contains each step that waits for a person. */
  readonly answers: ReadonlyMap<string, readonly string[]>;
  /** Fields of the results of steps with an action, by the steps' ids. */
  readonly results: ReadonlyMap<string, ResultFields>;
  /** Platform objects that are results of steps, by step id. */
  readonly lookedUp: ReadonlyMap<string, ResultObject>;
  /** CEL types of variables, by name. */
  readonly vars: Readonly<Record<string, string>>;
  /** CEL type of `repeat.item`, inside a `repeat` over a list. */
  readonly item?: string;
  /** State that the rule file declares, by path: `state.sender.score`. */
  readonly state: ReadonlyMap<string, Pick<DeclaredState, "type">>;
}

/** Object of the platform that is the result of a step. */
export interface ResultObject {
  readonly of: LookedUpKind;
  /** Requested fields, in addition to the fields that the platform always returns. */
  readonly fields: readonly string[];
}

/** No known types: expressions are checked with CEL's types only. */
export const NO_TYPES: KnownTypes = {
  numbers: new Map(),
  answers: new Map(),
  results: new Map(),
  lookedUp: new Map(),
  vars: {},
  state: new Map(),
};
