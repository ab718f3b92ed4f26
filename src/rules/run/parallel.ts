import { durationInWords as inWords } from "../../system/duration.ts";
import type { CompiledRule } from "../ruleset.ts";
import { failed, following, stopped } from "./moves.ts";
import type { Branch, FailedStep, OpenBranches, RunState } from "./run-state.ts";
import { branchBlock, blockAt, type Step } from "./step.ts";

/** Steps with parallel branches. The run waits at such a step; each branch is a separate run. */

/** Step with parallel branches. */
export type BranchingStep = Step & { readonly branches: readonly string[] };

export function branchesOff(step: Step): step is BranchingStep {
  return step.branches !== undefined;
}

/** Request to start the branches with `branchOf`, in this order, and to pass each ended branch to `branchEnded`. */
export interface BranchesRequest {
  readonly kind: "branches";
  readonly names: readonly string[];
  /** Deadline of the step, in milliseconds since the epoch. */
  readonly until?: number;
}

/** Returns the open branches of `step`, if the run is at that step. */
export function openBranchesOf({ parallel }: RunState, { label }: Step): OpenBranches | undefined {
  return parallel?.step === label ? parallel : undefined;
}

/** Enters a step with branches, or resumes it: requests its open branches. */
export function branchingOff(
  state: RunState,
  step: BranchingStep,
  now: number,
): { readonly state: RunState; readonly request: BranchesRequest } {
  const { label, branches, timeoutMs } = step;
  const limit = timeoutMs === undefined ? {} : { until: now + timeoutMs };
  const parallel = openBranchesOf(state, step) ?? { step: label, open: branches, ...limit };
  const { open: names, until } = parallel;
  return {
    state: { ...state, parallel },
    request: { kind: "branches", names, ...(until === undefined ? {} : { until }) },
  };
}

/** Creates the run of a branch at its first step, with the data of the whole run. */
export function branchOf(run: RunState, name: string): RunState {
  const { parallel, deadline: _theirs, slot: _held, ...branchState } = run;
  return {
    ...branchState,
    branch: { name, step: parallel?.step ?? "", depth: run.position.length },
    position: [...run.position, branchBlock(name), 0],
  };
}

/**
 * Merges the results of an ended branch into the run. The run continues once its last branch has ended; a branch that
 * stops the rule ends all branches.
 *
 * @param rule The rule of `run.revision`.
 * @param ended The branch in its final state.
 */
export function branchEnded(run: RunState, rule: CompiledRule, ended: RunState): RunState {
  const { branch } = ended;
  const { block, index } = blockAt(rule, run.position);
  const step = block[index];
  if (run.parallel === undefined || branch === undefined || step === undefined) return run;
  const { parallel, ...joinedRun } = withResults(run, ended);
  if (parallel === undefined) return joinedRun;
  if (branch.stops && ended.ended) return stopped(joinedRun, rule, ended.ended);
  const open = parallel.open.filter((name) => name !== branch.name);
  const failure = parallel.failed ?? failureOf(ended);
  if (open.length > 0) {
    return { ...joinedRun, parallel: { ...parallel, open, ...(failure && { failed: failure }) } };
  }
  if (failure !== undefined) return failed(joinedRun, step, rule, failure);
  const results = { ...joinedRun.results, [step.label]: { ok: true as const, result: null } };
  return { ...joinedRun, results, position: following(joinedRun.position) };
}

/** Merges the current results of a branch into the run. */
export function withResults(run: RunState, branch: RunState): RunState {
  const inside = insideOf(branch);
  const others = Object.entries(run.results).filter(([label]) => !inside(label));
  const heardAt = later(run.heardAt, branch.heardAt);
  const roundsBegun = later(run.roundsBegun, branch.roundsBegun);
  return {
    ...run,
    results: { ...Object.fromEntries(others), ...ownResults(branch) },
    ...(branch.ways !== undefined && { ways: { ...run.ways, ...ownWays(branch) } }),
    ...(heardAt === undefined ? {} : { heardAt }),
    ...(roundsBegun === undefined ? {} : { roundsBegun }),
  };
}

/** Returns the results of a run's steps; for a branch, only of the steps inside it. */
export function ownResults(run: Pick<RunState, "results" | "branch">): RunState["results"] {
  const inside = insideOf(run);
  return Object.fromEntries(Object.entries(run.results).filter(([label]) => inside(label)));
}

/** Returns the conditions that a run has evaluated; for a branch, only of the steps inside it. */
export function ownWays({
  ways = {},
  branch,
}: Pick<RunState, "ways" | "branch">): NonNullable<RunState["ways"]> {
  const inside = insideOf({ branch });
  return Object.fromEntries(Object.entries(ways).filter(([label]) => inside(label)));
}

function insideOf({
  branch,
}: {
  readonly branch?: Branch | undefined;
}): (label: string) => boolean {
  if (branch === undefined) return () => true;
  const begins = `${branch.step}.${branchBlock(branch.name)}[`;
  return (label) => label.startsWith(begins);
}

function later(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

function failureOf({ ended, error }: RunState): FailedStep | undefined {
  if (ended?.outcome !== "failed") return undefined;
  const { code, message } = error ?? { code: "failed", message: ended.reason };
  return { ok: false, error: { code, message } };
}

/** Returns the failure of a step whose branches exceeded the time limit. */
export function tooSlow({ timeoutMs = 0 }: Step): FailedStep {
  const message = `its branches were not over in ${inWords(timeoutMs)}`;
  return { ok: false, error: { code: "parallel-timeout", message } };
}
