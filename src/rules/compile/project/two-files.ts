import type { Problem } from "../../../config/problem.ts";
import { homeOf } from "../../rule-file-source.ts";
import { answers } from "../../run/step.ts";
import { allImply } from "./implies.ts";
import type { PlacedRule } from "./placed-rule.ts";

/** Rules of other files with the same words that a rule is compared with: more would take too long. */
const MOST_COMPARED = 100;

/**
 * Rules of two files that would both answer one event: within a file at most one does. Each two files are
 * told once. Who names a group, or none, has decided.
 */
export function answersOfTwoFiles(found: readonly PlacedRule[]): Problem[] {
  const told = new Set<string>();
  const byTrigger = new Map<string, PlacedRule[]>();
  const problems: Problem[] = [];
  for (const one of found.filter(isInGroupOfFile)) {
    for (const { trigger, direction } of one.rule.triggers) {
      // a moment is one rule's alone
      if (trigger === "schedule") continue;
      const key = `${trigger} ${direction}`;
      const others = byTrigger.get(key) ?? [];
      const unlike = others.filter(({ rule }) => homeOf(rule) !== homeOf(one.rule));
      const other = unlike.slice(0, MOST_COMPARED).find((candidate) => {
        const pair = `${homeOf(candidate.rule)}\n${homeOf(one.rule)}`;
        return !told.has(pair) && bothAnswer(candidate, one);
      });
      if (other) {
        told.add(`${homeOf(other.rule)}\n${homeOf(one.rule)}`);
        problems.push(twoAnswers(one, other, trigger));
      }
      // of rules that ask the same all the same is to be said
      if (others.length < MOST_COMPARED) others.push(one);
      byTrigger.set(key, others);
    }
  }
  return problems;
}

function isInGroupOfFile({ rule }: PlacedRule): boolean {
  const { enabled, stage, group, interrupts, fallback, actions } = rule;
  // A fallback is silent where a rule of another file answers.
  const isAnswering = !interrupts && !fallback && answers(actions);
  return enabled && stage === "live" && group === homeOf(rule) && isAnswering;
}

function bothAnswer(one: PlacedRule, other: PlacedRule): boolean {
  const [account, otherAccount] = [one.rule.account, other.rule.account];
  if (account !== undefined && otherAccount !== undefined && account !== otherAccount) return false;
  if (speaksOfVariables(one) || speaksOfVariables(other)) return false;
  return allImply(one.conditions, other.conditions) || allImply(other.conditions, one.conditions);
}

function speaksOfVariables({ conditions }: PlacedRule): boolean {
  return JSON.stringify(conditions).includes("vars.");
}

function twoAnswers({ rule, problemAt }: PlacedRule, { rule: other }: PlacedRule, trigger: string) {
  return problemAt(["id"], {
    code: "two-files-answer",
    severity: "warning" as const,
    message: `"${rule.id}" and "${other.id}" (${other.file}:${other.line}) can both answer one ${trigger}: each file is a group of its own`,
    help: "give both rules one group:  group: NAME  with  groups: {NAME: {match: first}}  or write  group: none  where both are meant to answer",
  });
}
