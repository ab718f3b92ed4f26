import type { InPieces } from "../../system/in-pieces.ts";
import type { CompiledRule } from "../ruleset.ts";
import type { Evaluation } from "../evaluation/evaluation.ts";
import type { RuleOutcome } from "./rule-outcome.ts";
import type { RulesByState } from "./rules-by-state.ts";
import type { StateUse } from "../schema/state-keys.ts";

/**
 * Rules narrowed by user state while the others are judged. Their state is looked up where the first of them would be
 * asked, so that none is read for an event on which all of them are barred.
 */
export class WaitingRules {
  readonly #byState: RulesByState;
  /** Rules that are judged whatever the state is, and those that are barred. */
  readonly #answered: Set<CompiledRule>;
  /** Sets that have not been found barred. Empty after the search. */
  #sets: RulesByState["sets"];
  /** Place of the first rule in them. */
  #first: number;
  readonly #barred: RuleOutcome[] = [];

  constructor(byState: RulesByState, judged: readonly CompiledRule[]) {
    this.#byState = byState;
    this.#answered = new Set(judged);
    this.#sets = byState.sets;
    this.#first = this.#firstPlace();
  }

  /** User state that is still to be looked up. */
  get uses(): readonly StateUse[] {
    return this.#sets.length === 0 ? [] : this.#byState.uses;
  }

  /** Tells whether a rule that comes before `next` would be asked for its state. Rules of barred sets are answered. */
  isDue(
    next: CompiledRule | undefined,
    barOf: (rule: CompiledRule) => RuleOutcome | undefined,
  ): boolean {
    const { placeOf } = this.#byState;
    const before = next === undefined ? Infinity : placeOf(next);
    if (this.#first >= before) return false;
    const open: (readonly CompiledRule[])[] = [];
    let isDue = false;
    for (const set of this.#sets) {
      const [first] = set;
      const bar = first && placeOf(first) < before ? barOf(first) : undefined;
      if (bar === undefined) open.push(set);
      else this.#bar(set, bar);
      isDue ||= bar === undefined && first !== undefined && placeOf(first) < before;
    }
    this.#sets = open;
    this.#first = this.#firstPlace();
    return isDue;
  }

  /** `rest` together with the waiting rules that state can start, in order; no rule waits any more. */
  *joining(
    rest: readonly CompiledRule[],
    evaluation: Evaluation,
  ): InPieces<readonly CompiledRule[]> {
    this.#sets = [];
    this.#first = Infinity;
    const found = yield* this.#byState.search(evaluation);
    const started = new Set(found.filter((rule) => !this.#answered.has(rule)));
    return started.size === 0 ? rest : this.#inOrder([...rest, ...started], (rule) => rule);
  }

  /** `outcomes` together with those of barred rules, in order. */
  withBarred(outcomes: readonly RuleOutcome[]): readonly RuleOutcome[] {
    if (this.#barred.length === 0) return outcomes;
    return this.#inOrder([...outcomes, ...this.#barred], ({ rule }) => rule);
  }

  /** An account that is named by its id is looked up in the event: its rules are ruled out, as those of any account. */
  #bar(set: readonly CompiledRule[], bar: RuleOutcome): void {
    const isSaid = bar.reason !== "other-account" || !/^\d+$/.test(bar.rule.account ?? "");
    for (const rule of set) {
      if (this.#answered.has(rule)) continue;
      this.#answered.add(rule);
      if (isSaid) this.#barred.push({ ...bar, rule });
    }
  }

  #firstPlace(): number {
    let first = Infinity;
    for (const [rule] of this.#sets) {
      if (rule !== undefined) first = Math.min(first, this.#byState.placeOf(rule));
    }
    return first;
  }

  #inOrder<T>(all: readonly T[], ruleOf: (one: T) => CompiledRule): readonly T[] {
    const { placeOf } = this.#byState;
    return all.toSorted((a, b) => placeOf(ruleOf(a)) - placeOf(ruleOf(b)));
  }
}
