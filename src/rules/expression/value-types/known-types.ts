import type { ResultFields } from "../../../actions/action-result.ts";
import type { LookedUpKind } from "../../../events/looked-up.ts";
import type { DeclaredState } from "../state-names.ts";
import type { NumberKind } from "../patterns/number-groups.ts";

/** Types for the check of expressions, narrower than those of their evaluation. */
export interface KnownTypes {
  /** Texts that always hold a number, by path: `captures.n`. */
  readonly numbers: ReadonlyMap<string, NumberKind>;
  /** Ids of steps that wait for a person, with the answers that their questions list. */
  readonly answers: ReadonlyMap<string, readonly string[]>;
  /** Fields of the results of steps with an action, by the steps' ids. */
  readonly results: ReadonlyMap<string, ResultFields>;
  /** Objects in results of steps, by step id. */
  readonly lookedUp: ReadonlyMap<string, ResultObject>;
  /** CEL types of variables, by name. */
  readonly vars: Readonly<Record<string, string>>;
  /** CEL type of `repeat.item`, within a repeat that goes through a list. */
  readonly item?: string;
  /** State that the rule file declares, by path: `state.sender.score`. */
  readonly state: ReadonlyMap<string, Pick<DeclaredState, "type">>;
}

/** Object of the platform that is the result of a step. */
export interface ResultObject {
  readonly of: LookedUpKind;
  /** Requested fields besides those of every answer. */
  readonly fields: readonly string[];
}

/** Types of a context in which no type is narrower. */
export const NO_TYPES: KnownTypes = {
  numbers: new Map(),
  answers: new Map(),
  results: new Map(),
  lookedUp: new Map(),
  vars: {},
  state: new Map(),
};
