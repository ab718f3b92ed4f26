import { withResults } from "../../../rules/run.ts";
import type { RunState } from "../../../rules/run.ts";
import { type Interpretation, joined, NOTHING } from "../lane-event.ts";
import type { CompiledRule, Ruleset } from "../../../rules/ruleset.ts";
import type { StoredRun } from "../../store/run.ts";
import { deadlineKey } from "../run-place.ts";
import { readBeside } from "../kept-state.ts";
import type { Memory } from "../memory.ts";
import type { DecidePort } from "../../store/store.ts";
import { trunkOf, wholeOf } from "./branch-owner.ts";

/**
 * Returns a run with branches, and its branches, as far as these runs are open. `run` is the run with branches or one
 * of the branches. A run without branches is returned alone.
 */
export async function wholeRun(
  run: StoredRun,
  store: Pick<DecidePort, "runsOf">,
): Promise<readonly StoredRun[]> {
  return hasOthers(run) ? together(run, await store.runsOf(run.seq)) : [run];
}

/** Returns the same runs as {@link wholeRun}, from the open runs that `memory` has read. */
export function wholeRunAt(run: StoredRun, memory: Pick<Memory, "runsOf">): readonly StoredRun[] {
  return hasOthers(run) ? together(run, memory.runsOf(run.seq)) : [run];
}

/** Reason for ending a branch: the run that the branch belongs to has continued without it. */
export const LEFT = "its run does not wait for it any more";

/** Ends a run and its branches, each at its current step. */
export function endWhole(runs: readonly StoredRun[], reason: string): Interpretation {
  return joined(runs.map((run) => endRun(run, reason)));
}

/** Ends the runs that `stop_run` steps have stopped in this transition. */
export function endedBy(memory: Pick<Memory, "ended">): readonly Interpretation[] {
  return memory.ended().map(({ runs, reason }) => endWhole(runs, reason));
}

/** Returns the runs of {@link wholeRunAt} except `run`: the branches, or for a branch its run and the others. */
export function othersAt(run: StoredRun, memory: Pick<Memory, "runsOf">): readonly StoredRun[] {
  return wholeRunAt(run, memory).filter(({ id }) => id !== run.id);
}

/** Adds the results that unfinished branches have so far. The run continues without these branches. */
export function withBranches(state: RunState, branches: readonly StoredRun[]): RunState {
  return branches.reduce((all, one) => withResults(all, readBeside(one, state)), state);
}

function hasOthers({ id, body }: StoredRun): boolean {
  if (trunkOf(id) !== undefined) return true;
  const state: Partial<RunState> = JSON.parse(body);
  return state.parallel !== undefined;
}

function together({ id }: StoredRun, runs: readonly StoredRun[]): readonly StoredRun[] {
  return runs.filter((one) => wholeOf(one.id) === wholeOf(id));
}

/** Ends a run at its current step: cancels what the run waits for, and withdraws its unsent items. */
export function endRun(run: StoredRun, reason: string): Interpretation {
  const { id, seq, owner, account, lane, revision, version, waitsFor, slot } = run;
  const state: object = JSON.parse(run.body);
  const body = JSON.stringify({ ...state, ended: { outcome: "stopped", reason } });
  const kind = { id, seq, owner, account, lane, revision, version, body };
  const write = slot === undefined ? kind : { ...kind, slot };
  return {
    ...NOTHING,
    runs: [{ ...write, status: "stopped" }],
    cancelled: [deadlineKey(run), ...(waitsFor === undefined ? [] : [waitsFor])],
    withdrawn: [id],
    logs: [{ level: "info", fields: { run: id, reason }, message: "run cancelled" }],
  };
}

/** Returns why a run must end after its rule was changed or removed; `undefined` when the run continues. */
export function reasonToEnd(
  { id, revision, onReload }: CompiledRule,
  { ruleset }: { readonly ruleset: Ruleset },
): string | undefined {
  if (onReload === "finish") return undefined;
  const now = ruleset.byId.get(id);
  if (now?.revision === revision) return undefined;
  return now === undefined ? "its rule was removed" : "its rule was changed";
}
