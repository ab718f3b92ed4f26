import type { Log } from "../log.ts";
import type { Lease } from "../store/lease.ts";
import type { RunAndEntry } from "../store/run.ts";
import type { DecidePort } from "../store/store.ts";
import type { RunEffect } from "./effect.ts";
import type { EffectPool } from "./effect-pool.ts";
import type { Interpret } from "./interpreter.ts";
import type { Lanes } from "./lanes.ts";
import { leftEffects } from "./left-effects.ts";
import { repeatedWhileStoreFails } from "../loop/while-store-fails.ts";

/** Continues runs whose effect is still to be performed. */
export interface ReadyRuns {
  /** Continues runs that an earlier holder of these partitions left. Resolves when all runs are in their lanes. */
  resume(leases: readonly Lease[]): Promise<void>;
  /** Continues the runs that an owner (rule or bot) left in the store: it is below its limit of effects again. */
  onRoom(owner: string): void;
}

export interface ReadyRunsNeeds {
  readonly store: Pick<DecidePort, "openRuns">;
  readonly log: Log;
  readonly interpret: Interpret;
  readonly lanes: Lanes;
  readonly effects: EffectPool;
  /** Resolves with the current leases, of whose partitions the backlog is read, once they are valid. */
  readonly leases: () => Promise<readonly Lease[]>;
  /** Commits what follows if the run has to end now instead of performing its effect. */
  readonly takeIn: (ready: { readonly kind: "run-ready" } & RunAndEntry) => Promise<void>;
  /** Whether the account is paused, so that its runs may not continue. */
  readonly isPaused: (pair: Pick<RunAndEntry, "entry">) => boolean;
  readonly stopping: AbortSignal;
}

/** Maximum number of runs read in one query. */
const PAGE = 512;

/** Creates the function that continues runs in their lanes, so that nothing newer in a lane overtakes them. */
export function readyRuns(needs: ReadyRunsNeeds): ReadyRuns {
  const { store, log, lanes, effects, isPaused, stopping } = needs;

  const takeUpNow = async (pair: RunAndEntry, start: (effect: RunEffect) => void) => {
    try {
      if (stopping.aborted || isPaused(pair)) return;
      const happened = { kind: "run-ready", ...pair } as const;
      const interpret = () => needs.interpret(happened);
      const { effects: needed, runs } = await repeatedWhileStoreFails(interpret, stopping);
      // The run has to end, for example because its rule is no longer stored.
      if (runs.length > 0) await needs.takeIn(happened);
      else for (const effect of needed) start(effect);
    } catch (error) {
      log.error({ err: error, run: pair.run.id }, "a run could not be continued");
    }
  };
  const takeUp = (pair: RunAndEntry, start: (effect: RunEffect) => void): Promise<void> =>
    new Promise((resolve) => {
      lanes.run(pair.run.lane, () => takeUpNow(pair, start).finally(resolve));
    });

  const leftovers = leftEffects({
    ...needs,
    takeUp: (pair) => takeUp(pair, (effect) => effects.takeLeft(effect)),
  });
  return {
    async resume(leases) {
      for (let after = 0, more = true; more && !stopping.aborted;) {
        const query = { status: "ready", after, limit: PAGE } as const;
        // After a pause, some effects are being performed already, or wait in the pool.
        const { all: runs, free } = await effects.inHand.read(() => store.openRuns(leases, query));
        for (const pair of free) void takeUp(pair, (effect) => effects.start(effect));
        after = runs.at(-1)?.ordinal ?? after;
        more = runs.length === PAGE;
      }
    },
    onRoom: (owner) => leftovers.onRoom(owner),
  };
}
