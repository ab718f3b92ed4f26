import type { Mistake, Problem } from "../../../config/problem.ts";
import type { CompiledRule } from "../../ruleset.ts";
import { allSteps, answers } from "../../run/step.ts";
import type { PlacedRule } from "../project/placed-rule.ts";

/** Verbs that only store or log something. */
const NOTING: ReadonlySet<string> = new Set(["set", "increment", "count", "label", "log", "if"]);

/** Reports rules that only store or log something, but keep a later rule of their group from answering. */
export function silencingRules(placedRules: readonly PlacedRule[]): Problem[] {
  const live = placedRules.filter(({ rule }) => rule.enabled && rule.stage === "live");
  const inOrder = live.toSorted((a, b) => rank(a.rule) - rank(b.rule));
  const problems: Problem[] = [];
  /** The next rule in the order of evaluation that answers, by trigger and group. */
  const next = new Map<string, CompiledRule>();
  for (const one of inOrder.toReversed()) {
    const { rule } = one;
    const { group } = rule;
    if (group === undefined) continue;
    const places = rule.triggers.map(({ trigger }) => `${trigger} ${group}`);
    const [silenced] = places.flatMap((place) => next.get(place) ?? []);
    if (answers(rule.actions)) for (const place of places) next.set(place, rule);
    else if (silenced && onlyNotes(rule)) {
      problems.push(one.problemAt(["group"], silencing(silenced, group)));
    }
  }
  return problems;
}

/** Returns the place of a rule in its group's order: `interrupts` first, `fallback` last, all others between. */
function rank({ interrupts, fallback }: CompiledRule): number {
  return interrupts ? 0 : fallback ? 2 : 1;
}

function onlyNotes({ actions, onError }: CompiledRule): boolean {
  return allSteps([...actions, ...onError]).every(({ verb }) => NOTING.has(verb));
}

function silencing({ id }: CompiledRule, group: string): Mistake {
  return {
    code: "silencing-rule",
    severity: "warning",
    message: `this rule sends nothing, and if it matches, rule "${id}" of its group does not answer`,
    help: `remove  group: ${group}  or, to silence the others on purpose, end the steps with  - stop: REASON`,
  };
}
