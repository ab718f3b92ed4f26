import type { InPieces } from "../../../system/in-pieces.ts";
import type { Problem } from "../../../config/problem.ts";
import { allImply, DRAWS, featuresOf } from "./implies.ts";
import type { PlacedRule } from "./placed-rule.ts";

/** Maximum number of earlier rules with common words that are compared with one rule. More would take too long. */
const MAX_COMPARED_RULES = 50;

/** Reports rules that never run because an earlier rule of their group answers all their events. */
export function* unreachableRules(placedRules: readonly PlacedRule[]): InPieces<Problem[]> {
  const groups = new Map<string, PlacedRule[]>();
  for (const one of placedRules) {
    const { group, enabled, stage } = one.rule;
    if (group === undefined || !enabled || stage !== "live") continue;
    const rules = groups.get(group);
    if (rules) rules.push(one);
    else groups.set(group, [one]);
  }
  const problems: Problem[] = [];
  for (const rules of groups.values()) {
    const inOrder = [
      ...rules.filter(({ rule }) => rule.interrupts),
      ...rules.filter(({ rule }) => !rule.interrupts && !rule.fallback),
      ...rules.filter(({ rule }) => !rule.interrupts && rule.fallback),
    ];
    problems.push(...(yield* hiddenIn(inOrder)));
  }
  return problems;
}

function* hiddenIn(rules: readonly PlacedRule[]): InPieces<Problem[]> {
  const problems: Problem[] = [];
  const unconditional: PlacedRule[] = [];
  const byFeature = new Map<string, PlacedRule[]>();
  for (const one of rules) {
    yield;
    const features = new Set(one.conditions.flatMap(featuresOf));
    const earlier = new Set(unconditional);
    for (const feature of features) {
      for (const other of byFeature.get(feature) ?? []) earlier.add(other);
    }
    const hiding = [...earlier].slice(0, MAX_COMPARED_RULES).find((other) => hides(other, one));
    if (hiding) problems.push(unreachable(one, hiding));
    if (!alwaysAnswers(one)) continue;
    const [first] = one.conditions;
    if (first === undefined && unconditional.length < MAX_COMPARED_RULES) unconditional.push(one);
    for (const feature of first === undefined ? [] : featuresOf(first)) {
      const alike = byFeature.get(feature);
      if (alike === undefined) byFeature.set(feature, [one]);
      else if (alike.length < MAX_COMPARED_RULES) alike.push(one);
    }
  }
  return problems;
}

/**
 * Returns whether a rule runs each time its conditions hold: without cooldown, limit or active period, and in replays.
 */
function alwaysAnswers({ rule }: PlacedRule): boolean {
  const { cooldown, limit, active, onReplay } = rule;
  return !cooldown && !limit && !active && onReplay === "run";
}

function hides(earlier: PlacedRule, later: PlacedRule): boolean {
  const age = ({ rule }: PlacedRule): number => rule.maxAgeMs ?? Infinity;
  return (
    age(earlier) >= age(later) &&
    (earlier.rule.account === undefined || earlier.rule.account === later.rule.account) &&
    triggersOf(later).every((trigger) => triggersOf(earlier).some((one) => covers(one, trigger))) &&
    sameVariables(earlier, later) &&
    sameTriggerNames(earlier, later) &&
    allImply(later.conditions, earlier.conditions)
  );
}

interface WrittenTrigger {
  readonly trigger: string;
  readonly direction: string;
  /** Kinds of conversations from which messages start the rule, as written under the key `in`. */
  readonly scope: string;
  /** Other keys of the trigger, as JSON. */
  readonly rest: string;
}

function triggersOf({ triggers }: PlacedRule): readonly WrittenTrigger[] {
  return triggers.map((one) => {
    if (typeof one === "string") {
      return { trigger: one, direction: "inbound", scope: "private", rest: "{}" };
    }
    const { trigger, direction = "inbound", in: scope = "private", id: _id, ...rest } = Object(one);
    return { trigger, direction, scope, rest: JSON.stringify(rest) };
  });
}

function covers(one: WrittenTrigger, other: WrittenTrigger): boolean {
  return (
    one.trigger === other.trigger &&
    one.trigger !== "schedule" &&
    one.direction === other.direction &&
    (one.scope === "any" || one.scope === other.scope) &&
    (one.rest === "{}" || one.rest === other.rest)
  );
}

/**
 * Returns whether conditions with variables mean the same in both rules: only if the variables are equal, and none is
 * random, because each rule draws its own value.
 */
function sameVariables(earlier: PlacedRule, later: PlacedRule): boolean {
  if (!/\bvars[.[]/.test(JSON.stringify(earlier.conditions))) return true;
  const variables = JSON.stringify(earlier.variables) ?? "";
  return variables === (JSON.stringify(later.variables) ?? "") && !DRAWS.test(variables);
}

/** Returns whether `trigger.id` means the same in both rules: only if the triggers are equal. */
function sameTriggerNames(earlier: PlacedRule, later: PlacedRule): boolean {
  const { conditions, variables, triggers } = earlier;
  if (!/\btrigger[.[]/.test(JSON.stringify([conditions, variables]))) return true;
  return JSON.stringify(triggers) === JSON.stringify(later.triggers);
}

function unreachable(one: PlacedRule, { rule: earlier }: PlacedRule): Problem {
  const { rule } = one;
  const where =
    earlier.file === rule.file ? `line ${earlier.line}` : `${earlier.file}:${earlier.line}`;
  return one.problemAt(["id"], {
    code: "unreachable-rule",
    severity: "warning",
    message: `rule "${rule.id}" can never run: "${earlier.id}" (${where}) is earlier in its group and matches everything it matches`,
    help: `move it above ${where}, or narrow the conditions there`,
  });
}
