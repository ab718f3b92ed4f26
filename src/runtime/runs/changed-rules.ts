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
  /** Resolves with the current leases once they are valid. */
  readonly leases: () => Promise<readonly Lease[]>;
  /** Commits the end of a run. @returns `false` when the run has continued meanwhile. */
  readonly takeIn: (changed: Extract<LaneEvent, { kind: "rule-changed" }>) => Promise<boolean>;
  readonly stopping: AbortSignal;
}

/** Maximum number of runs read in one query. */
const PAGE = 512;

/** Maximum passes over the runs of a rule. A pass is repeated when a run has continued during it. */
const MAX_PASSES = 10;

/**
 * Checks the open runs of changed or removed rules, each run in its lane, and ends the runs that must not continue.
 *
 * @throws when the store can't be read or written.
 */
export async function lookAtRunsOf(
  ruleIds: readonly string[],
  needs: ChangedRulesNeeds,
): Promise<void> {
  for (const id of ruleIds) {
    for (let looks = 0; looks < MAX_PASSES && !(await lookOnce(ownerOf(id), needs)); looks += 1);
  }
}

/** Checks the rules' runs once. @returns `false` when a run has continued meanwhile: the check has to be repeated. */
async function lookOnce(rule: string, needs: ChangedRulesNeeds): Promise<boolean> {
  let isDone = true;
  for (const status of ["waiting", "ready"] as const) {
    for (let after = 0, more = true; more && !needs.stopping.aborted;) {
      const runs = await needs.store.openRuns(await needs.leases(), {
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
