import type { AccountEvent } from "../../../events/event.ts";
import { holdersAsJson, holdersIn } from "../../../rules/decide.ts";
import { slotName } from "../../../rules/user-state.ts";
import type { StepRequest } from "../../../rules/run.ts";
import type { CompiledRule } from "../../../rules/ruleset.ts";
import { wholeOf } from "../parallel/branch-owner.ts";
import { wholeRunAt } from "../parallel/whole-run.ts";
import type { RunPlace } from "../run-place.ts";
import type { Memory } from "../memory.ts";

/** Run with a step that ends other runs. */
interface EndingRun {
  readonly rule: CompiledRule;
  readonly event: AccountEvent;
  readonly place: RunPlace;
}

/** Functions with which open runs of a rule are found. */
interface StopNeeds {
  readonly memory: Memory;
  /** Finds the rule in use that has one of `ids`. */
  readonly ruleNamed: (ids: readonly string[]) => CompiledRule | undefined;
}

/**
 * Ends the open runs of the rules that a step names, except the run of the step. Runs started by the same event are not
 * open yet.
 *
 * @returns Number of ended runs.
 */
export function stopRuns(
  { rules, key }: Extract<StepRequest, { readonly kind: "stop-runs" }>,
  { rule: { id }, event, place }: EndingRun,
  { memory, ruleNamed }: StopNeeds,
): number {
  const own = wholeOf(place.id);
  let count = 0;
  for (const ids of rules) {
    const rule = ruleNamed(ids);
    for (const name of rule === undefined ? [] : [rule.id, ...rule.formerly]) {
      const slot = slotName(name, key, event);
      const holders = holdersIn(memory.read(slot));
      const open = memory.holders(slot).filter((run) => holders.some((one) => one.run === run.id));
      const ended = open.filter((run) => wholeOf(run.id) !== own);
      if (ended.length === 0) continue;
      for (const run of ended) memory.end(wholeRunAt(run, memory), `rule ${id} ended it`);
      const over = new Set(ended.map((run) => run.id));
      memory.write({
        key: slot,
        value: holdersAsJson(holders.filter((one) => !over.has(one.run))),
      });
      count += ended.length;
    }
  }
  return count;
}
