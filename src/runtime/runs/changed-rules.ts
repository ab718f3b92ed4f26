import type { Lease } from "../store/lease.ts";
import type { RunAndEntry } from "../store/run.ts";
import type { DecidePort } from "../store/store.ts";
import type { LaneEvent } from "./lane-event.ts";
import type { Interpret } from "./interpreter.ts";
import type { Lanes } from "./lanes.ts";
import { ownerOf } from "./run-place.ts";

export interface ChangedRulesNeeds {
  readonly store: Pick<DecidePort, "openRuns">;
  readonly interpret: Interpret;
  readonly lanes: Lanes;
  readonly leases: () => readonly Lease[];
  /** Takes in that a run ends. @returns `false` when it has gone on meanwhile. */
  readonly takeIn: (changed: Extract<LaneEvent, { kind: "rule-changed" }>) => Promise<boolean>;
  readonly stopping: AbortSignal;
}

/** Runs that are read at a time. */
const PAGE = 512;

/** A run that goes on whenever it is looked at is looked at so often. */
const MOST_LOOKS = 10;

/**
 * Has the open runs of rules that were changed or removed looked at, each in its lane: those end that are not to go
 * on.
 *
 * @throws when the store can't be read or written.
 */
export async function lookAtRunsOf(
  ruleIds: readonly string[],
  needs: ChangedRulesNeeds,
): Promise<void> {
  for (const id of ruleIds) {
    for (let looks = 0; looks < MOST_LOOKS && !(await lookOnce(ownerOf(id), needs)); looks += 1);
  }
}

/** @returns `false` when a run has gone on meanwhile: it is to be looked at again. */
async function lookOnce(rule: string, needs: ChangedRulesNeeds): Promise<boolean> {
  let isDone = true;
  for (const status of ["waiting", "ready"] as const) {
    for (let after = 0, more = true; more && !needs.stopping.aborted;) {
      const runs = await needs.store.openRuns(needs.leases(), {
        status,
        after,
        limit: PAGE,
        whose: rule,
      });
      const looked = await Promise.all(runs.map((pair) => lookAt(pair, needs)));
      isDone &&= looked.every(Boolean);
      after = runs.at(-1)?.ordinal ?? after;
      more = runs.length === PAGE;
    }
  }
  return isDone;
}

function lookAt(
  pair: RunAndEntry,
  { interpret, lanes, takeIn, stopping }: ChangedRulesNeeds,
): Promise<boolean> {
  const changed = { kind: "rule-changed", ...pair } as const;
  const look = async (): Promise<boolean> => {
    if (stopping.aborted) return true;
    const { runs } = await interpret(changed);
    return runs.length === 0 || takeIn(changed);
  };
  return new Promise((resolve, reject) => {
    lanes.run(pair.run.lane, () => look().then(resolve, reject));
  });
}
