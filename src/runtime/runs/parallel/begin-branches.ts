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

/** Step `parallel` at which a run has arrived: the names of its branches and its position. */
type BranchesAt = BranchesRequest & { readonly path: string } & StepTurn;

interface BeginNeeds {
  readonly rule: CompiledRule;
  /** Place of the run that executes the `parallel` step. */
  readonly place: RunPlace;
  /** Continues a branch as far as possible. */
  readonly begin: (from: RunState, place: RunPlace) => WentOn;
}

/** Branches that have begun, each continued as far as possible. */
interface Begun extends Pick<Interpretation, "logs" | "escalations"> {
  /** State of the run that the branches belong to. The run is past the step when no branch remains. */
  readonly state: RunState;
  /** Writes and effects of the branches that have not ended. The results of ended branches are in `state`. */
  readonly waiting: Interpretation;
  readonly counted: readonly CountReached[];
}

/** Begins the branches of a step in order, up to a branch that stops the run. */
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

/** Makes a run wait until its branches have ended or the time of the step is up. */
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
