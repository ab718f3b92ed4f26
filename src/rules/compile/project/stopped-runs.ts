import { didYouMean } from "../../../text/did-you-mean.ts";
import type { Mistake, Problem } from "../../../config/problem.ts";
import { allSteps, listensTo, type StoppedRule, type StopsRuns } from "../../run/step.ts";
import { type CompiledRule, ruleNamed } from "../../ruleset.ts";
import type { PlacedRule } from "./placed-rule.ts";

/**
 * Reports steps that end runs of an unknown rule, or of a rule that never has an open run at that point.
 *
 * @param broken Ids of rules with errors. Steps that end runs of these rules are not checked.
 */
export function stoppedRuns(
  placedRules: readonly PlacedRule[],
  broken: ReadonlySet<string>,
): Problem[] {
  const byId = new Map(placedRules.map(({ rule }) => [rule.id, rule]));
  return placedRules.flatMap(({ rule }) =>
    stepsOf(rule).flatMap(({ stops }) =>
      (stops?.rules ?? []).flatMap((one) => {
        if (one.ids.some((id) => broken.has(id))) return [];
        const mistake = mistakeOf(one, stops, rule, byId);
        return mistake === undefined ? [] : [{ severity: "error" as const, ...one.at, ...mistake }];
      }),
    ),
  );
}

function mistakeOf(
  { written, ids }: StoppedRule,
  { key }: Pick<StopsRuns, "key"> = {},
  rule: CompiledRule,
  byId: ReadonlyMap<string, CompiledRule>,
): Mistake | undefined {
  const stopped = ruleNamed(ids, byId);
  if (stopped === undefined) return unknownRule(written, byId);
  const own = stopped.mode?.key;
  if (own !== undefined && key === undefined) {
    return {
      code: "stop-run-key",
      message: `runs of rule "${written}" have the key ${own.source}, but this step names no key`,
      help: `write  stop_run: {rule: ${written}, key: "\${{ … }}"}`,
    };
  }
  if (own === undefined && key !== undefined) {
    return {
      code: "stop-run-key",
      message: `runs of rule "${written}" have no key: they are found by the person`,
      help: "remove  key:  here, or give that rule a  mode:  and a  key:",
    };
  }
  if (!stepsOf(stopped).some(waits)) return neverOpen(written);
  return stopped !== rule && isUnheard(rule, stopped) ? unheard(written) : undefined;
}

function unknownRule(written: string, byId: ReadonlyMap<string, CompiledRule>): Mistake {
  const guess = didYouMean(written, byId.keys());
  const message = `there is no rule "${written}" with triggers`;
  const help =
    guess === undefined ? "write the id of a rule with triggers" : `did you mean "${guess}"?`;
  return { code: "unknown-rule", message, help };
}

function neverOpen(written: string): Mistake {
  return {
    code: "stop-run-never",
    severity: "warning",
    message: `rule "${written}" never waits, so it has no open run to end`,
    help: "name a rule that asks, waits or delays",
  };
}

function unheard(written: string): Mistake {
  return {
    code: "stop-run-unheard",
    severity: "warning",
    message: `while rule "${written}" waits for an answer, it receives the events that would start this rule`,
    help: "add  interrupts: true  to this rule",
  };
}

/** Verbs of steps that take time, so that an event can find the run open. Questions are checked by `listensTo`. */
const WAITING = new Set(["delay", "delay_until", "typing", "http", "lookup", "call", "parallel"]);

function waits(step: CompiledRule["actions"][number]): boolean {
  return listensTo(step) || WAITING.has(step.verb) || step.retry !== undefined;
}

/** Returns whether an open run of `stopped` takes the messages that would start `rule`, as answers to its question. */
function isUnheard({ interrupts, triggers }: CompiledRule, stopped: CompiledRule): boolean {
  if (interrupts) return false;
  return stepsOf(stopped).some(
    ({ listens }) =>
      listens !== undefined && triggers.some(({ trigger }) => trigger === listens.trigger),
  );
}

function stepsOf({ actions, onError }: CompiledRule) {
  return allSteps([...actions, ...onError]);
}
