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

/** The run and its branches; those that belong with a branch, where it is one. None, where they are not open any more. */
export async function wholeRun(
  run: StoredRun,
  store: Pick<DecidePort, "runsOf">,
): Promise<readonly StoredRun[]> {
  return hasOthers(run) ? together(run, await store.runsOf(run.seq)) : [run];
}

/** As {@link wholeRun}, of what is at hand. */
export function wholeRunAt(run: StoredRun, memory: Pick<Memory, "runsOf">): readonly StoredRun[] {
  return hasOthers(run) ? together(run, memory.runsOf(run.seq)) : [run];
}

/** Why a branch ends where it is: its run has gone on without it. */
export const LEFT = "its run does not wait for it any more";

/** Ends a run where it is, with all that belongs to it. */
export function endWhole(runs: readonly StoredRun[], reason: string): Interpretation {
  return joined(runs.map((run) => endRun(run, reason)));
}

/** Ends the runs that steps have ended. */
export function endedBy(memory: Pick<Memory, "ended">): readonly Interpretation[] {
  return memory.ended().map(({ runs, reason }) => endWhole(runs, reason));
}

/** The open runs that belong together with a run, without itself: of one that waits for its branches, those. */
export function othersAt(run: StoredRun, memory: Pick<Memory, "runsOf">): readonly StoredRun[] {
  return wholeRunAt(run, memory).filter(({ id }) => id !== run.id);
}

/** A run that leaves its branches where they are, with what they have come to so far. */
export function withBranches(state: RunState, branches: readonly StoredRun[]): RunState {
  return branches.reduce((all, one) => withResults(all, readBeside(one, state)), state);
}

function hasOthers({ id, body }: StoredRun): boolean {
  if (trunkOf(id) !== undefined) return true;
  const kept: Partial<RunState> = JSON.parse(body);
  return kept.parallel !== undefined;
}

function together({ id }: StoredRun, runs: readonly StoredRun[]): readonly StoredRun[] {
  return runs.filter((one) => wholeOf(one.id) === wholeOf(id));
}

/** Ends a run where it is: what it waits for is let go, and what it has not sent yet is not sent. */
export function endRun(run: StoredRun, reason: string): Interpretation {
  const { id, seq, owner, account, lane, revision, version, waitsFor, slot } = run;
  const kept: object = JSON.parse(run.body);
  const body = JSON.stringify({ ...kept, ended: { outcome: "stopped", reason } });
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

/** Why a run is not to go on, since its rule is another one by now; `undefined`: it goes on. */
export function outdated(
  { id, revision, onReload }: CompiledRule,
  { ruleset }: { readonly ruleset: Ruleset },
): string | undefined {
  if (onReload === "finish") return undefined;
  const now = ruleset.byId.get(id);
  if (now?.revision === revision) return undefined;
  return now === undefined ? "its rule was removed" : "its rule was changed";
}
