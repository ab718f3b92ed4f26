import type { InPieces } from "../../../system/in-pieces.ts";
import type { Problem } from "../../../config/problem.ts";
import { homeOf } from "../../rule-file-source.ts";
import { answers } from "../../run/step.ts";
import { allImply, featuresOf } from "./implies.ts";
import type { PlacedRule } from "./placed-rule.ts";
import type { CompiledTrigger } from "../../ruleset.ts";
import type { Trigger } from "../../../events/triggers.ts";

/** Maximum number of rules with common words that are compared with one rule. More would take too long. */
const MAX_COMPARED_RULES = 100;

/**
 * Reports rules of two files that would both answer the same event; of the rules in one file, only one answers. Reports
 * each pair of files once. Skips rules with the key `group`, even `group: none`, because their authors have decided
 * which rules answer.
 */
export function* answersOfTwoFiles(placedRules: readonly PlacedRule[]): InPieces<Problem[]> {
  const reportedPairs = new Set<string>();
  const byTrigger = new Map<string, AlikeRules>();
  const problems: Problem[] = [];
  for (const one of placedRules) {
    yield;
    if (!isInGroupOfFile(one) || speaksOfVariables(one)) continue;
    const features = new Set(one.conditions.flatMap(featuresOf));
    for (const [key, trigger] of one.rule.triggers.flatMap(keysOf)) {
      const others = byTrigger.get(key) ?? new AlikeRules();
      byTrigger.set(key, others);
      const other = others.like(features).find((candidate) => {
        const pair = pairOf(candidate, one);
        return pair !== undefined && !reportedPairs.has(pair) && bothAnswer(candidate, one);
      });
      others.add(one, features);
      if (!other) continue;
      reportedPairs.add(pairOf(other, one) ?? "");
      problems.push(twoAnswers(one, other, trigger));
    }
  }
  return problems;
}

/**
 * Returns keys of the events that a trigger matches: two triggers without a common key match no common event. Posts
 * that different queries find count as different events.
 */
function keysOf({ trigger, direction, scope, query = "" }: CompiledTrigger): [string, Trigger][] {
  // An event of a schedule starts only the rule that has the schedule.
  if (trigger === "schedule") return [];
  const scopes = scope === "any" ? ["private", "group"] : [scope];
  return scopes.map((one) => [`${trigger} ${direction} ${one} ${query}`, trigger]);
}

/** Returns a key for the files of two rules; `undefined` if both are in the same file. */
function pairOf({ rule: one }: PlacedRule, { rule: other }: PlacedRule): string | undefined {
  const [home, otherHome] = [homeOf(one), homeOf(other)];
  return home === otherHome ? undefined : `${home}\n${otherHome}`;
}

/** Rules by the words of their conditions. One rule's conditions can imply another's only if they share a word. */
class AlikeRules {
  /** Rules without conditions: the events of any other rule start them, too. */
  readonly #unconditional: PlacedRule[] = [];
  readonly #byFeature = new Map<string, PlacedRule[]>();
  /** The first rules added. A rule without conditions is compared with them: it answers the events of each of them. */
  readonly #any: PlacedRule[] = [];

  add(one: PlacedRule, features: ReadonlySet<string>): void {
    addTo(this.#any, one);
    if (features.size === 0) addTo(this.#unconditional, one);
    for (const feature of features) {
      const alike = this.#byFeature.get(feature);
      if (alike === undefined) this.#byFeature.set(feature, [one]);
      else addTo(alike, one);
    }
  }

  like(features: ReadonlySet<string>): readonly PlacedRule[] {
    if (features.size === 0) return this.#any;
    const alikeRules = new Set(this.#unconditional);
    for (const feature of features) {
      for (const other of this.#byFeature.get(feature) ?? []) alikeRules.add(other);
    }
    return [...alikeRules].slice(0, MAX_COMPARED_RULES);
  }
}

function addTo(list: PlacedRule[], one: PlacedRule): void {
  if (list.length < MAX_COMPARED_RULES) list.push(one);
}

function isInGroupOfFile({ rule }: PlacedRule): boolean {
  const { enabled, stage, group, interrupts, fallback, actions } = rule;
  // a fallback does not run if a rule of another file answers
  const isAnswering = !interrupts && !fallback && answers(actions);
  return enabled && stage === "live" && group === homeOf(rule) && isAnswering;
}

function bothAnswer(one: PlacedRule, other: PlacedRule): boolean {
  const [account, otherAccount] = [one.rule.account, other.rule.account];
  if (account !== undefined && otherAccount !== undefined && account !== otherAccount) return false;
  return allImply(one.conditions, other.conditions) || allImply(other.conditions, one.conditions);
}

function speaksOfVariables({ conditions }: PlacedRule): boolean {
  return JSON.stringify(conditions).includes("vars.");
}

function twoAnswers(one: PlacedRule, { rule: other }: PlacedRule, trigger: string): Problem {
  const { rule } = one;
  return one.problemAt(["id"], {
    code: "two-files-answer",
    severity: "warning",
    message: `"${rule.id}" and "${other.id}" (${other.file}:${other.line}) can both answer the same ${trigger}: each file is a separate group`,
    help: "give both rules one group:  group: NAME  with  groups: {NAME: {match: first}}  or write  group: none  if both should answer",
  });
}
