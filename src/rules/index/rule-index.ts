import type { InPieces } from "../../system/in-pieces.ts";
import { type Trigger, TRIGGERS } from "../../events/triggers.ts";
import type { Asked } from "../evaluation/asked.ts";
import type { Evaluation } from "../evaluation/evaluation.ts";
import type { StateUse } from "../schema/state-keys.ts";
import { anyOf, asksState, bestOf, type Need, values } from "./atom.ts";
import { AtomIndex } from "./atom-index.ts";
import { needOf } from "./needs.ts";
import { StateIndex, type StateSearch } from "./state-index.ts";

/** Parts of a rule that the index reads. */
export interface IndexedRule {
  readonly enabled: boolean;
  readonly stage: string;
  readonly account?: string;
  readonly triggers: readonly { readonly trigger: Trigger; readonly match: readonly Asking[] }[];
  readonly conditions: readonly Asking[];
  readonly asksState: readonly StateUse[];
}

interface Asking {
  readonly asks: Asked;
}

/** Index that finds the rules that an event can start, without testing each rule. */
export interface RuleIndex {
  /** Returns the indexes of the rules that must be judged, ascending. */
  survivors(evaluation: Evaluation): InPieces<readonly number[]>;
  /**
   * Returns the lookup by user state for rules with one of `triggers`, such as rules with a condition on
   * `state.sender.city`. `undefined` if there are none.
   */
  byState(triggers: readonly Trigger[]): InPieces<StateSearch | undefined>;
}

/** Builds an index of `rules`, in pieces. Omits disabled rules and drafts. */
export function* indexing(rules: readonly IndexedRule[]): InPieces<RuleIndex> {
  const atoms = new AtomIndex();
  const state = new StateIndex(rules);
  /** Rules without atoms (tests in the index), by trigger. They must be judged for each event with this trigger. */
  const always = new Map<Trigger, number[]>();
  const triggerBits = new Int32Array(rules.length);
  for (const [place, rule] of rules.entries()) {
    if (place % PIECE === 0) yield;
    if (!rule.enabled || rule.stage === "draft") continue;
    const triggers = new Set(rule.triggers.map(({ trigger }) => trigger));
    triggerBits[place] = bitsOf([...triggers]);
    const need = needOfRule(rule) ?? needOfAccount(rule);
    if (need?.some(asksState) === true) state.add(place, need.filter(asksState));
    if (need !== undefined) {
      for (const atom of need) if (!asksState(atom)) atoms.add(atom, place);
    } else for (const trigger of triggers) listIn(always, trigger).push(place);
  }
  const search = yield* atoms.searcher();
  const met = new Int32Array(rules.length);
  let events = 0;
  return {
    byState: (triggers) => state.of(triggers),
    *survivors(evaluation) {
      const event = ++events;
      const { triggers } = evaluation.event;
      const bits = bitsOf(triggers);
      const places: number[] = [];
      const add = (place: number): void => {
        if (met[place] === event || ((triggerBits[place] ?? 0) & bits) === 0) return;
        met[place] = event;
        places.push(place);
      };
      for (const trigger of triggers) {
        for (const place of always.get(trigger) ?? []) add(place);
      }
      const pieces = search(evaluation, add);
      for (const piece of pieces) {
        piece();
        yield;
      }
      if (places.length > 1) places.sort((a, b) => a - b);
      // while the search paused, another event may have overwritten the marks in `met`, so a rule can be listed twice
      return pieces.length === 0 ? places : [...new Set(places)];
    },
  };
}

/** Number of rules after which the indexing yields to other tasks. */
const PIECE = 64;

const BITS = new Map<string, number>(TRIGGERS.map((trigger, bit) => [trigger, 1 << bit]));

function bitsOf(triggers: readonly Trigger[]): number {
  let bits = 0;
  for (const trigger of triggers) bits |= BITS.get(trigger) ?? 0;
  return bits;
}

/** Returns atoms of which one holds for every event that a rule matches, from its conditions or its triggers. */
function needOfRule({ triggers, conditions, asksState }: IndexedRule): Need {
  const needsOf = (all: readonly Asking[]) =>
    bestOf(all.map(({ asks }) => needOf(asks, asksState)));
  return bestOf([needsOf(conditions), anyOf(triggers.map(({ match }) => needsOf(match)))]);
}

/**
 * Returns the atom that the event is for the rule's account. Many events satisfy it, so it serves only rules without
 * other atoms.
 */
function needOfAccount({ account }: IndexedRule): Need {
  const isId = account !== undefined && /^\d+$/.test(account);
  return isId ? values("account.id", "exact", [account]) : undefined;
}

function listIn<Key>(lists: Map<Key, number[]>, key: Key): number[] {
  const existingList = lists.get(key);
  if (existingList) return existingList;
  const list: number[] = [];
  lists.set(key, list);
  return list;
}
