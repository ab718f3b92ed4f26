import type { InPieces } from "../../system/in-pieces.ts";
import type { CompiledRule } from "../ruleset.ts";
import type { Evaluation } from "../evaluation/evaluation.ts";
import type { RuleOutcome } from "./rule-outcome.ts";
import type { RulesByState } from "./rules-by-state.ts";
import type { StateUse } from "../schema/state-keys.ts";

/**
 * Rules that wait for user state, because their index lookup reads it. The state is loaded when the first rule that is
 * not barred is next in order, so an event for which all these rules are barred loads none.
 */
export class WaitingRules {
  readonly #byState: RulesByState;
  /** Rules that need no search, because they are barred or are judged whatever the user state is. */
  readonly #answered: Set<CompiledRule>;
  /** Sets of waiting rules that are not barred so far. Empty after the search. */
  #sets: RulesByState["sets"];
  /** Place of the first rule of `#sets` in the order of judging; `Infinity` if the sets are empty. */
  #first: number;
  readonly #barred: RuleOutcome[] = [];

  constructor(byState: RulesByState, judged: readonly CompiledRule[]) {
    this.#byState = byState;
    this.#answered = new Set(judged);
    this.#sets = byState.sets;
    this.#first = this.#firstPlace();
  }

  /** User state that is not loaded yet. */
  get uses(): readonly StateUse[] {
    return this.#sets.length === 0 ? [] : this.#byState.uses;
  }

  /** Returns whether a waiting rule comes before `next` in order, so that state must be loaded. Records barred sets. */
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

  /**
   * Returns `rest` with the waiting rules that may match with the loaded user state, in the order of judging. No rule
   * waits afterwards.
   */
  *joining(
    rest: readonly CompiledRule[],
    evaluation: Evaluation,
  ): InPieces<readonly CompiledRule[]> {
    this.#sets = [];
    this.#first = Infinity;
    const candidateRules = yield* this.#byState.search(evaluation);
    const started = new Set(candidateRules.filter((rule) => !this.#answered.has(rule)));
    return started.size === 0 ? rest : this.#inOrder([...rest, ...started], (rule) => rule);
  }

  /** Returns `outcomes` and the outcomes of barred rules, in order. */
  withBarred(outcomes: readonly RuleOutcome[]): readonly RuleOutcome[] {
    if (this.#barred.length === 0) return outcomes;
    return this.#inOrder([...outcomes, ...this.#barred], ({ rule }) => rule);
  }

  /** Records that a set is barred. Rules for another account's id get no outcome, as if the index excluded them. */
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
