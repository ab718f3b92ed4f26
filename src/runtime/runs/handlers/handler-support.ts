import type { StateRead } from "../../../bots/durable/record.ts";
import { keyOf } from "../../../rules/decide/state-keys.ts";
import type { Clock } from "../../clock/clock.ts";

import type { EffectPoolNeeds } from "../effect-pool.ts";
import type { HandlerEffect } from "../effect.ts";
import type { Interpretation, LaneEvent } from "../lane-event.ts";
import type { Lanes } from "../lanes.ts";
import { remembering, type RememberPort } from "../memory.ts";
import { placeOf, storedAs } from "../run-place.ts";
import type { KeptHandler } from "./kept-handler.ts";

type EffectProgress = Extract<LaneEvent, { readonly kind: "handler-progress" | "request-begins" }>;

export interface HandlerSupportNeeds {
  readonly store: RememberPort;
  readonly clock: Clock;
  readonly lanes: Pick<Lanes, "run">;
  /** Takes in what an effect has come to. Gives what followed; undefined: nothing was kept. */
  readonly takeIn: (happened: EffectProgress) => Promise<Interpretation | undefined>;
}

/** What effects under way ask for: progress is kept in the lane of their run, like anything else. */
export function handlerSupport({
  store,
  clock,
  lanes,
  takeIn,
}: HandlerSupportNeeds): Pick<EffectPoolNeeds, "progress" | "beginOnce" | "read"> {
  return {
    async progress(effect, progress) {
      const { run, entry } = effect;
      const followed = await inLane(lanes, run.lane, () =>
        takeIn({ kind: "handler-progress", run, entry, progress }),
      );
      return followed && keptAs(effect, followed);
    },
    async beginOnce(effect) {
      const { run, entry, once: key } = effect;
      if (key === undefined) return effect;
      const followed = await inLane(lanes, run.lane, () =>
        takeIn({ kind: "request-begins", run, entry, key }),
      );
      const [write] = followed?.runs ?? [];
      return write && { ...effect, run: storedAs(write, placeOf(run, entry)) };
    },
    async read({ handling }, name): Promise<StateRead> {
      const key = keyOf({ kind: "value", ...name }, handling.event);
      return remembering(store, clock.now(), (memory) => {
        const value = memory.read(key);
        return { version: memory.versionOf(key), ...(value !== undefined && { value }) };
      });
    },
  };
}

/** What `work` gives once it is its turn in the lane. */
function inLane<T>(lanes: Pick<Lanes, "run">, lane: string, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve) => {
    lanes.run(lane, async () => {
      const result = work();
      resolve(result);
      // whoever waits for it has what is wrong with it; the lane goes on in any case
      await result.catch(() => {});
    });
  });
}

/** The effect as its run is kept now; undefined where the handlers are called anew instead. */
function keptAs(
  effect: HandlerEffect,
  { runs, effects }: Interpretation,
): HandlerEffect | undefined {
  const [write] = runs;
  if (write === undefined || write.status !== "ready" || effects.length > 0) return undefined;
  const { record = [] }: KeptHandler = JSON.parse(write.body);
  const run = storedAs(write, placeOf(effect.run, effect.entry));
  return { ...effect, run, handling: { ...effect.handling, record } };
}
