import type { SendOutcome } from "../../../bots/durable/send-outcome.ts";
import { resultOfSent } from "../step-results.ts";
import type { Item } from "../../store/item.ts";
import type { StateRead } from "../../../bots/durable/record.ts";
import { keyOf } from "../../../rules/user-state.ts";
import { endingWith } from "../../../system/ending.ts";
import type { Clock } from "../../clock/clock.ts";
import type { ReadPort } from "../../store/store.ts";
import { MAX_ITEMS_OF_EVENT, idsOfParts } from "../../store/thread.ts";
import type { EffectPoolNeeds } from "../effect-pool.ts";
import type { HandlerEffect } from "../effect.ts";
import type { Interpretation, LaneEvent } from "../lane-event.ts";
import type { Lanes } from "../lanes.ts";
import { remembering, type RememberPort } from "../memory.ts";
import { placeOf, storedAs } from "../run-place.ts";
import type { KeptHandler } from "./kept-handler.ts";

type EffectProgress = Extract<LaneEvent, { readonly kind: "handler-progress" | "request-begins" }>;

export interface HandlerSupportNeeds {
  readonly store: RememberPort & Pick<ReadPort, "items">;
  readonly clock: Clock;
  readonly lanes: Pick<Lanes, "run">;
  /** Commits progress of an effect. Returns the committed interpretation; undefined when nothing was committed. */
  readonly takeIn: (happened: EffectProgress) => Promise<Interpretation | undefined>;
  /**
   * Resolves when an item has changed or `signal` is aborted. Absent: the current outcome is returned without waiting.
   */
  readonly itemChanged?: ((key: string, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Creates the operations for effects under way. Progress is committed in the lane of its run, like any lane event. */
export function handlerSupport({
  store,
  clock,
  lanes,
  takeIn,
  itemChanged,
}: HandlerSupportNeeds): Pick<EffectPoolNeeds, "progress" | "beginOnce" | "read" | "outcome"> {
  return {
    async outcome({ entry: { seq } }, key, ms, signal) {
      const ending = endingWith([signal], ms);
      try {
        for (;;) {
          // The wait begins before the read, so that a change between the read and `await changed` is not missed.
          const changed = itemChanged?.(key, ending.signal);
          const items = await store.items({ seq, limit: MAX_ITEMS_OF_EVENT });
          const item = items.find((one) => one.key === key);
          const ids = item?.status === "sent" ? idsOfParts(item, items) : [];
          const outcome = outcomeOf(item, ids);
          const isOver = changed === undefined || ending.signal.aborted;
          if (outcome.status !== "pending" || isOver) return outcome;
          await changed;
        }
      } finally {
        ending.end();
      }
    },
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

/** Runs `work` when it is its turn in the lane, and returns its result. */
function inLane<T>(lanes: Pick<Lanes, "run">, lane: string, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve) => {
    lanes.run(lane, async () => {
      const result = work();
      resolve(result);
      // The caller gets an error from `result`, so it is ignored here, and the lane continues.
      await result.catch(() => {});
    });
  });
}

/** Returns the effect with its stored run; undefined if that run calls the handlers again, in a new effect. */
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

/**
 * Returns the outcome of an item for the handler that waits for the item.
 *
 * @param ids Ids of the posts of a thread, if the item is the last one of a thread.
 */
export function outcomeOf(item: Item | undefined, ids: readonly string[] = []): SendOutcome {
  if (item === undefined)
    return { status: "failed", reason: "the item is no longer in the outbox" };
  const { status, action, platformId, settledAt = 0, reason } = item;
  if (status === "sent") {
    return {
      status,
      at: settledAt,
      ...(platformId !== undefined && { id: platformId }),
      ...(ids.length > 1 && { ids }),
      ...("text" in action && { text: action.text }),
      result: resultOfSent(item),
    };
  }
  const why = reason === undefined ? {} : { reason };
  return { status: status === "sending" ? "pending" : status, ...why };
}
