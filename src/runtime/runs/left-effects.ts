import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import { pause } from "../../system/time/pause.ts";
import type { Log } from "../log.ts";
import type { Lease } from "../store/lease.ts";
import type { RunAndEntry } from "../store/run.ts";
import type { DecidePort } from "../store/store.ts";
import type { EffectPool } from "./effect-pool.ts";

/**
 * Performs the backlog of owners: effects that stayed in the store because their owner (a rule or bot) had too many
 * effects at work or waiting.
 */
export interface LeftEffects {
  /** Starts reading the backlog of an owner that is below its limit again. */
  onRoom(owner: string): void;
}

export interface LeftEffectsNeeds {
  readonly store: Pick<DecidePort, "openRuns">;
  /** Resolves with the current leases once they are valid. Without valid leases, the backlog would seem to be empty. */
  readonly leases: () => Promise<readonly Lease[]>;
  readonly effects: Pick<EffectPool, "leftOf" | "roomOf" | "caughtUp" | "inHand">;
  /** Continues a run in its lane. Resolves when its effect is in the pool, or the run needs none. */
  readonly takeUp: (pair: RunAndEntry) => Promise<void>;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

/** Maximum number of runs read in one query. */
const PAGE = 512;
const RETRY_MS = 1_000;

/** Performs an owner's backlog in the order in which its runs were started. */
export function leftEffects(needs: LeftEffectsNeeds): LeftEffects {
  const { effects, stopping } = needs;
  const looking = new Set<string>();
  const failed = throttle(LOG_EVERY_MS, (error) =>
    needs.log.error({ err: error }, "runs with unfinished steps could not be read"),
  );

  const look = async (owner: string): Promise<void> => {
    while (!stopping.aborted && effects.roomOf(owner) > 0) {
      const leftCount = effects.leftOf(owner);
      try {
        if ((await takeAll(owner, needs)) && effects.caughtUp(owner, leftCount)) return;
      } catch (error) {
        failed(error);
        await pause(RETRY_MS, stopping);
      }
    }
  };
  return {
    onRoom(owner) {
      if (looking.has(owner) || stopping.aborted) return;
      looking.add(owner);
      void look(owner).finally(() => looking.delete(owner));
    },
  };
}

/** Starts the effects of all runs in an owner's backlog. @returns `false` when the pool had no room for all of them. */
async function takeAll(
  owner: string,
  { store, leases, effects, takeUp }: LeftEffectsNeeds,
): Promise<boolean> {
  for (let after = 0; ;) {
    const held = await leases();
    const query = { status: "ready", after, limit: PAGE, owner } as const;
    const { all: runs, free } = await effects.inHand.read(() => store.openRuns(held, query));
    const fitting = free.slice(0, Math.max(0, effects.roomOf(owner)));
    await Promise.all(fitting.map((pair) => takeUp(pair)));
    if (fitting.length < free.length) return false;
    const last = runs.at(-1);
    if (last === undefined || runs.length < PAGE) return true;
    after = last.ordinal;
  }
}
