import { actionKind } from "../../../actions/actions.ts";
import type { Problem } from "../../../config/problem.ts";
import type { Path } from "../../../config/yaml-document.ts";
import {
  highestLevel,
  levelOfTrigger,
  raiseTo,
  suffices,
  whyLevelExcludes,
} from "../../../events/needed-level.ts";
import type { AccessLevel } from "../../../protocol/access.ts";
import type { CompiledRule } from "../../ruleset.ts";
import { allSteps, IN_CALLED, ON_CALLED_ERROR, type Step } from "../../run/step.ts";
import type { PlacedRule } from "./placed-rule.ts";

/** Code of problems with triggers and steps that the app's permission level does not allow. */
const CODE = "permission-level";

/** Reports triggers and steps that the app's permission level does not allow. */
export function beyondLevel(placedRules: readonly PlacedRule[], level: AccessLevel): Problem[] {
  return placedRules
    .filter(({ rule }) => isActive(rule))
    .flatMap((one) => [
      ...triggersBeyond(one.rule, level),
      ...stepsBeyond(one, level, [...one.rule.actions, ...one.rule.onError]),
    ]);
}

/**
 * Returns the lowest permission level at which the app receives all events of the active rules and may perform all
 * their steps.
 */
export function neededLevel(rules: readonly CompiledRule[]): AccessLevel {
  const levels = rules
    .filter(isActive)
    .flatMap(({ triggers, actions, onError }) => [
      ...triggers.map(({ trigger }) => levelOfTrigger(trigger)),
      ...allSteps([...actions, ...onError]).map(levelOfStep),
    ]);
  return highestLevel(levels);
}

function isActive({ enabled, stage }: CompiledRule): boolean {
  return enabled && stage !== "draft";
}

function levelOfStep({ action, otherAction, listens }: Step): AccessLevel {
  const verbs = [action ?? [], otherAction ?? []].flat();
  return highestLevel([
    ...verbs.map((verb) => actionKind(verb).needs.access),
    ...(listens === undefined ? [] : [levelOfTrigger(listens.trigger)]),
  ]);
}

function triggersBeyond({ triggers }: CompiledRule, level: AccessLevel): Problem[] {
  return triggers.flatMap(({ trigger, at }) => {
    const why = whyLevelExcludes(level, trigger);
    return why === undefined ? [] : [{ ...at, severity: "error", code: CODE, ...why }];
  });
}

/** @param caller Step that runs another rule with these steps: their problems are reported at that step. */
function stepsBeyond(
  rule: PlacedRule,
  level: AccessLevel,
  steps: readonly Step[],
  caller?: Step,
): Problem[] {
  return steps.flatMap((step) => {
    const { blocks = {}, onError, verb } = step;
    const needed = levelOfStep(step);
    const own = suffices(level, needed)
      ? []
      : [problemOf(rule, caller ?? step, { verb, needed, level })];
    const inner = Object.entries(blocks).flatMap(([key, block]) => {
      const isCalled = key === IN_CALLED || key === ON_CALLED_ERROR;
      return stepsBeyond(rule, level, block, caller ?? (isCalled ? step : undefined));
    });
    return [...own, ...inner, ...stepsBeyond(rule, level, onError, caller)];
  });
}

function problemOf(
  rule: PlacedRule,
  place: Step,
  {
    verb,
    needed,
    level,
  }: { readonly verb: string; readonly needed: AccessLevel; readonly level: AccessLevel },
): Problem {
  const called = place.calls === undefined ? "" : ` of the rule "${place.calls.id}"`;
  const message = `"${verb}"${called} needs the permission level ${needed}, and the app's is ${level}`;
  return rule.problemAt(pathOf(place.label), { code: CODE, message, help: raiseTo(needed) });
}

/** Converts a step's label, such as `actions[0].then[1]`, to its path in the rule. */
function pathOf(label: string): Path {
  return [...label.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, key, index]) => key ?? Number(index));
}
