import { barName } from "../decide/barred.ts";
import type { RulesByState } from "../decide/waiting-rules.ts";
import type { CompiledRule } from "../ruleset.ts";
import type { StateSearch } from "./state-index.ts";

/** Returns the rules of a search of the index over `rules`, which are in order; the same search, the same object. */
export function rulesByStateOf(
  rules: readonly CompiledRule[],
): (search: StateSearch) => RulesByState {
  const known = new WeakMap<StateSearch, RulesByState>();
  const places = new Map(rules.map((rule, place) => [rule, place]));
  const placeOf = (rule: CompiledRule): number => places.get(rule) ?? rules.length;
  const rulesAt = (all: readonly number[]) => all.flatMap((place) => rules[place] ?? []);
  return (search) => {
    let found = known.get(search);
    if (found === undefined) {
      found = {
        sets: barredAlike(rulesAt(search.places)),
        uses: search.uses,
        placeOf,
        *search(evaluation) {
          return rulesAt(yield* search.search(evaluation));
        },
      };
      known.set(search, found);
    }
    return found;
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
