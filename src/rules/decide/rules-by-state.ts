import type { InPieces } from "../../system/in-pieces.ts";
import type { StateSearch } from "../index/state-index.ts";
import type { CompiledRule, NarrowedByState } from "../ruleset.ts";
import { barName } from "./barred.ts";
import type { Evaluation } from "../evaluation/evaluation.ts";
import type { StateUse } from "../schema/state-keys.ts";

/** Rules with a trigger for the event whose index lookup reads user state, such as `state.sender.city`. */
export interface RulesByState {
  /**
   * Sets of rules with the same `barName`, each in the order of judging. If one rule of a set is barred (can't answer
   * the event, whatever its conditions are), so are all rules of the set.
   */
  readonly sets: readonly (readonly CompiledRule[])[];
  /** User state that the rules' conditions and variables read. */
  readonly uses: readonly StateUse[];
  /** Returns the index of a rule in the order in which all rules are judged. */
  readonly placeOf: (rule: CompiledRule) => number;
  /** Reads the user state of `uses`, and returns the rules that may match with this state. A rule may occur twice. */
  readonly search: (evaluation: Evaluation) => InPieces<readonly CompiledRule[]>;
}

/**
 * Returns the rules whose index lookup reads user state, prepared for judging. Cached for each index and each list of
 * rules.
 */
export function rulesByState({ search, ordered }: NarrowedByState): RulesByState {
  const of = searched.get(ordered) ?? rulesByStateOf(ordered);
  searched.set(ordered, of);
  return of(search);
}

const searched = new WeakMap<readonly CompiledRule[], ReturnType<typeof rulesByStateOf>>();

function rulesByStateOf(rules: readonly CompiledRule[]): (search: StateSearch) => RulesByState {
  const cachedRules = new WeakMap<StateSearch, RulesByState>();
  const places = new Map(rules.map((rule, place) => [rule, place]));
  const placeOf = (rule: CompiledRule): number => places.get(rule) ?? rules.length;
  const rulesAt = (all: readonly number[]) => all.flatMap((place) => rules[place] ?? []);
  return (search) => {
    let rulesOfSearch = cachedRules.get(search);
    if (rulesOfSearch === undefined) {
      rulesOfSearch = {
        sets: barredAlike(rulesAt(search.places)),
        uses: search.uses,
        placeOf,
        *search(evaluation) {
          return rulesAt(yield* search.search(evaluation));
        },
      };
      cachedRules.set(search, rulesOfSearch);
    }
    return rulesOfSearch;
  };
}

function barredAlike(rules: readonly CompiledRule[]): RulesByState["sets"] {
  const sets = new Map<string, CompiledRule[]>();
  for (const rule of rules) {
    const name = barName(rule);
    const set = sets.get(name);
    if (set === undefined) sets.set(name, [rule]);
    else set.push(rule);
  }
  return [...sets.values()];
}
