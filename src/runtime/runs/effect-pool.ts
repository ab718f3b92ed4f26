import { messageOf } from "../../system/error-message.ts";
import type { Log } from "../log.ts";
import { pause } from "../loop/pause.ts";
import {
  type RunEffect,
  type EffectOutcome,
  type EffectPerformer,
  givenUp,
  perform,
} from "./effect.ts";
import { lanes } from "./lanes.ts";

/** Performs effects beside the lanes, so that a slow one holds up nothing but what must follow it. */
export interface EffectPool {
  /** Effects under way or waiting. */
  readonly size: number;
  /** Performs an effect after the earlier ones of its owner in its lane; its outcome is settled then. */
  start(effect: RunEffect): void;
  /** Whether the run's effect is under way or waiting. */
  has(run: RunEffect["run"]): boolean;
  /** Names of the runs whose effects are under way or waiting. */
  underWay(): readonly string[];
  /** Begins nothing any more: what waits stays with its run in the store. */
  stop(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export interface EffectPoolNeeds {
  readonly performer: EffectPerformer;
  readonly log: Log;
  /** Resolves when the outcome is taken in; then the owner's next effect in the lane begins. */
  readonly settle: (effect: RunEffect, outcome: EffectOutcome) => Promise<void>;
  /** Effects at work at once. */
  readonly width?: number;
}

const WIDTH = 512;
/** Nobody could say what came of the effect: it is performed again after so long, then given up. */
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000] as const;

/**
 * Effects of one rule or bot in one lane are performed one after the other, in the order in which they
 * were started; all others side by side.
 */
export function effectPool({ performer, log, settle, width = WIDTH }: EffectPoolNeeds): EffectPool {
  const queues = lanes(width);
  const underWay = new Set<string>();
  const stopping = new AbortController();

  const work = async (effect: RunEffect): Promise<void> => {
    try {
      const outcome = await retrying(effect);
      if (outcome !== undefined) await settle(effect, outcome);
    } finally {
      underWay.delete(nameOf(effect));
    }
  };

  /** @returns undefined when it was stopped before it could be performed. */
  const retrying = async (effect: RunEffect): Promise<EffectOutcome | undefined> => {
    for (let failures = 0; !stopping.signal.aborted; failures += 1) {
      try {
        return await perform(effect, performer);
      } catch (error) {
        if (stopping.signal.aborted) return undefined;
        const delay = RETRY_DELAYS_MS[failures];
        const { id } = effect.run;
        log.error({ err: error, run: id, retryMs: delay }, "effect not performed");
        if (delay === undefined) return givenUp(effect, messageOf(error));
        await pause(delay, stopping.signal);
      }
    }
    return undefined;
  };

  return {
    get size() {
      return underWay.size;
    },
    start(effect) {
      const { lane, owner } = effect.run;
      if (underWay.has(nameOf(effect))) return;
      underWay.add(nameOf(effect));
      queues.run(`${lane} ${owner}`, () => work(effect));
    },
    has: (run) => underWay.has(nameOf({ run })),
    underWay: () => [...underWay],
    stop: () => stopping.abort(),
    idle: () => queues.idle(),
  };
}

/** A run has one effect in each of its versions. */
function nameOf({ run }: Pick<RunEffect, "run">): string {
  return `${run.id}@${run.version}`;
}
