import { branchEnded, type RunState } from "../../../rules/run.ts";
import type { CompiledRule } from "../../../rules/ruleset.ts";
import { joined, NOTHING, type WentOn } from "../lane-event.ts";
import { bodyOf, readBeside } from "../kept-state.ts";
import { placeOf, type RunPlace, writeAt } from "../run-place.ts";
import { goOnAlone, type RuleRunContext } from "../rule-run.ts";
import type { StoredRun } from "../../store/run.ts";
import { trunkOf } from "./branch-owner.ts";
import { endWhole, LEFT } from "./whole-run.ts";

/**
 * Continues a run as far as possible without external input. A branch that ends passes its result to the run that it
 * belongs to; the last branch continues that run.
 */
export function goOn(
  from: RunState,
  rule: CompiledRule,
  place: RunPlace,
  context: RuleRunContext,
): WentOn {
  const went = goOnAlone(from, rule, place, context);
  if (went.ended?.branch === undefined) return went;
  const whole = context.memory.runsOf(place.entry.seq);
  const trunk = whole.find(({ id }) => id === trunkOf(place.id));
  if (trunk === undefined) return went;
  const others = whole.filter(({ id }) => id !== place.id && trunkOf(id) === trunk.id);
  return withTrunk(went, went.ended, { trunk, others, rule, place, context });
}

interface Beside {
  /** The run that the branch belongs to. */
  readonly trunk: StoredRun;
  /** Other branches of that run that have not ended. */
  readonly others: readonly StoredRun[];
  readonly rule: CompiledRule;
  /** Place (id, version, starting entry) of the branch that has ended. */
  readonly place: RunPlace;
  readonly context: RuleRunContext;
}

function withTrunk(
  went: WentOn,
  ended: RunState,
  { trunk, others, rule, place: { entry }, context }: Beside,
): WentOn {
  const { waitsFor } = trunk;
  const state = branchEnded(readBeside(trunk, ended), rule, ended);
  const place = placeOf(trunk, entry);
  if (state.parallel !== undefined) {
    const run = writeAt(place, "waiting", bodyOf(state), { waitsFor });
    return { ...joined([went, { ...NOTHING, runs: [run] }]), counted: went.counted };
  }
  const othersEnd = endWhole(others, LEFT);
  const next = goOnAlone(state, rule, place, context);
  const over = { ...NOTHING, cancelled: waitsFor === undefined ? [] : [waitsFor] };
  return {
    ...joined([went, othersEnd, over, next]),
    counted: [...went.counted, ...next.counted],
  };
}
