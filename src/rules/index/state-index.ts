import type { Trigger } from "../../events/triggers.ts";
import type { InPieces } from "../../system/in-pieces.ts";
import type { Evaluation } from "../evaluation/evaluation.ts";
import type { StateUse } from "../schema/state-keys.ts";
import { uniqueUses } from "../evaluation/state-view.ts";
import type { Atom } from "./atom.ts";
import { AtomIndex } from "./atom-index.ts";

/** Lookup by user state, such as `state.sender.city`, of rules that share a trigger with the event. */
export interface StateSearch {
  /** Indexes of these rules, ascending. */
  readonly places: readonly number[];
  /** User state that these rules read. */
  readonly uses: readonly StateUse[];
  /** Reads the user state of `uses`. Returns the indexes of rules with a satisfied atom; an index may occur twice. */
  search(evaluation: Evaluation): InPieces<readonly number[]>;
}

interface ListeningRule {
  readonly triggers: readonly { readonly trigger: Trigger }[];
  readonly asksState: readonly StateUse[];
}

/** Index of rules by user state, with one search per set of triggers that occurs in events. */
export class StateIndex {
  readonly #rules: readonly ListeningRule[];
  readonly #needs = new Map<number, readonly Atom[]>();
  readonly #searches = new Map<string, StateSearch | undefined>();

  constructor(rules: readonly ListeningRule[]) {
    this.#rules = rules;
  }

  /** Adds the rule at `place`. One of `atoms` must hold in the stored state, unless the event itself can start the rule. */
  add(place: number, atoms: readonly Atom[]): void {
    this.#needs.set(place, atoms);
  }

  /** Returns the search among the rules with one of `triggers`. Built in pieces on first use. */
  *of(triggers: readonly Trigger[]): InPieces<StateSearch | undefined> {
    if (this.#needs.size === 0) return undefined;
    const key = triggers.length === 1 ? (triggers[0] ?? "") : triggers.join(" ");
    if (this.#searches.has(key)) return this.#searches.get(key);
    const search = yield* this.#building(triggers);
    this.#searches.set(key, search);
    return search;
  }

  *#building(triggers: readonly Trigger[]): InPieces<StateSearch | undefined> {
    const atoms = new AtomIndex();
    const places: number[] = [];
    const allUses: StateUse[] = [];
    const searched = new Set<string>();
    for (const [place, need] of this.#needs) {
      const rule = this.#rules[place];
      if (rule?.triggers.some(({ trigger }) => triggers.includes(trigger)) !== true) continue;
      for (const atom of need) {
        atoms.add(atom, place);
        if (typeof atom.field === "object") searched.add(JSON.stringify(atom.field.use));
      }
      places.push(place);
      allUses.push(...rule.asksState);
      if (places.length % PIECE === 0) yield;
    }
    if (places.length === 0) return undefined;
    const uses = uniqueUses(allUses);
    const unsearched = uses.filter((use) => !searched.has(JSON.stringify(use)));
    const search = yield* atoms.searcher();
    return {
      places,
      uses,
      *search(evaluation) {
        // each read is recorded with the decision, to explain later why the index excluded a rule
        for (const use of unsearched) evaluation.state(use, "text");
        const matchingPlaces: number[] = [];
        for (const piece of search(evaluation, (place) => matchingPlaces.push(place))) {
          piece();
          yield;
        }
        return matchingPlaces;
      },
    };
  }
}

/** Number of rules after which the building yields to other tasks. */
const PIECE = 64;
