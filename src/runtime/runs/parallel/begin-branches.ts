import type { CountReached } from "../../../events/event.ts";
import {
  branchEnded,
  type BranchesRequest,
  branchOf,
  type StepTurn,
  type RunState,
} from "../../../rules/run.ts";
import type { CompiledRule } from "../../../rules/ruleset.ts";
import { joined, type Interpretation, NOTHING, type WentOn } from "../lane-event.ts";
import { bodyOf } from "../kept-state.ts";
import { newPlace, type RunPlace, stepKey, writeAt } from "../run-place.ts";
import { ownerOfBranch } from "./branch-owner.ts";

/** The step with branches that a run has come to. */
type BranchesAt = BranchesRequest & { readonly path: string } & StepTurn;

interface BeginNeeds {
  readonly rule: CompiledRule;
  /** Of the run that the branches belong to. */
  readonly place: RunPlace;
  /** Takes a branch as far as it goes. */
  readonly begin: (from: RunState, place: RunPlace) => WentOn;
}

/** Branches that have begun, each gone as far as it could. */
interface Begun extends Pick<Interpretation, "logs" | "escalations"> {
  /** The run that they belong to: it is past the step where none is left. */
  readonly state: RunState;
  /** What is kept and done for those that have not ended. Those that have are kept with the run. */
  readonly waiting: Interpretation;
  readonly counted: readonly CountReached[];
}

/** The branches of a step begin one after the other, up to one that ends the run. */
export function beginBranches(
  from: RunState,
  { names, path, round }: BranchesAt,
  { rule, place, begin }: BeginNeeds,
): Begun {
  let state = from;
  const went: WentOn[] = [];
  for (const name of names) {
    const branch = { path, name, ...(round === undefined ? {} : { round }) };
    const owner = ownerOfBranch(place.owner, branch);
    const one = begin(branchOf(from, name), newPlace(place.entry, owner, place.revision));
    went.push(one);
    if (one.ended !== undefined) state = branchEnded(state, rule, one.ended);
    if (state.parallel === undefined) break;
  }
  const isOver = state.parallel === undefined;
  const waiting = isOver ? [] : went.filter(({ ended }) => ended === undefined);
  return {
    state,
    waiting: { ...joined(waiting), logs: [], escalations: [] },
    logs: went.flatMap(({ logs }) => logs),
    counted: went.flatMap(({ counted }) => counted),
    escalations: went.flatMap(({ escalations }) => escalations),
  };
}

/** A run waits until its branches have ended, or for the end of their time. */
export function waitForBranches(
  state: RunState,
  { path, until, ...turn }: BranchesAt,
  place: RunPlace,
): Interpretation {
  if (until === undefined) return { ...NOTHING, runs: [writeAt(place, "waiting", bodyOf(state))] };
  const waitsFor = stepKey(place, `${path}.timeout`, turn);
  const run = writeAt(place, "waiting", bodyOf(state), { waitsFor });
  const timer = { id: waitsFor, run: run.id, lane: run.lane, dueAt: until };
  return { ...NOTHING, runs: [run], timers: [timer] };
}
