import { describeAction } from "../../actions/actions.ts";
import type { Clock } from "../clock/clock.ts";
import type { LeaseHolders } from "../loop/lease-holders.ts";
import type { HeldLeases } from "../loop/leases.ts";
import type { Log } from "../log.ts";
import { pollLoop } from "../loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import { StoreError } from "../store/errors.ts";
import { HELD_QUIET, type Item } from "../store/item.ts";
import type { OutboxPort } from "../store/store.ts";
import type { ChangeItem } from "./change-item.ts";
import { byLane, type HeldByHand, heldByHand, type HeldLane } from "./held-by-hand.ts";
import { openItems } from "./open-items.ts";

/** Held answers, and the operator's decisions on them. */
export interface HeldAnswers extends HeldByHand {
  /** Reads all held items soon. To be called when an item is held that was queued before. */
  lookAgain(): void;
  stop(): Promise<void>;
}

export interface HeldAnswersNeeds {
  readonly store: Pick<OutboxPort, "openItems">;
  readonly change: ChangeItem;
  readonly clock: Clock;
  readonly log: Log;
  readonly leases: Pick<HeldLeases, "held" | "onTaken" | "whenValid">;
  /** Returns the lease holders of all partitions, in all processes. */
  readonly holders: LeaseHolders;
  /** Called when an answer of a lane is held, unless another answer of the lane was held within the hour before. */
  readonly onHeld: (held: HeldLane) => Promise<void>;
  /** Triggers a poll of the outbox, which sends items that are due now. */
  readonly wake: () => void;
}

/** Real milliseconds between two reads of newly held items. */
const LOOK_EVERY_MS = 1_000;
/** Milliseconds without newly held items of a lane after which the next held item is reported again. */
const TOLD_FOR_MS = 60 * 60_000;

/**
 * Watches held items: reports each lane once, and releases items that were held for quiet hours when the quiet hours
 * end.
 */
export function heldAnswers(needs: HeldAnswersNeeds): HeldAnswers {
  const { store, change, clock, log, leases } = needs;
  const byHand = heldByHand(needs);
  /** Time at which an item of the lane was last held, by lane. */
  const heldAt = new Map<string, number>();
  /** Items held until the end of quiet hours, by id. They need no decision of the operator. */
  const quiet = new Map<number, Item>();
  let seen = 0;
  /** Whether items with smaller ids may have been held since the last read, such as those of acquired partitions. */
  let isFromStart = false;
  const tellMore = throttle(LOG_EVERY_MS, (last: Item, times) =>
    log.info({ item: last.id, times }, `held back: ${describeAction(last.action)}`),
  );

  const look = async (): Promise<void> => {
    if (isFromStart) {
      [isFromStart, seen] = [false, 0];
      quiet.clear();
    }
    const fresh: Item[] = [];
    let last = seen;
    for await (const item of openItems(store, leases.held(), "held", seen)) {
      last = Math.max(last, item.id);
      if (item.reason === HELD_QUIET) quiet.set(item.id, item);
      else fresh.push(item);
    }
    const now = clock.now();
    await letGo([...quiet.values()].filter(({ notBefore }) => notBefore <= now));
    for (const [lane, at] of heldAt) if (now - at > TOLD_FOR_MS) heldAt.delete(lane);
    for (const held of byLane(fresh)) {
      if (!heldAt.has(held.lane)) await report(held);
      heldAt.set(held.lane, now);
    }
    for (const item of fresh) tellMore(item);
    seen = last;
  };
  /** Reports a lane. After a failure of the store, the next look reports it; another error would come again. */
  const report = async (held: HeldLane): Promise<void> => {
    try {
      await needs.onHeld(held);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      log.error({ err: error, lane: held.lane }, "held answers could not be reported");
    }
  };
  const letGo = async (items: readonly Item[]): Promise<void> => {
    let isReleased = false;
    for (const item of items) {
      const lease = leases.held().find(({ partition }) => partition === item.partition);
      // After a suspension of the machine, the expired lease may be renewed: the next look tries again.
      if (lease === undefined) continue;
      await change(item, lease, "held", { to: "pending" });
      quiet.delete(item.id);
      isReleased = true;
    }
    if (isReleased) needs.wake();
  };
  const loop = pollLoop({
    poll: look,
    everyMs: LOOK_EVERY_MS,
    onError: throttle(LOG_EVERY_MS, (error) =>
      log.error({ err: error }, "held answers could not be read"),
    ),
  });
  const lookAgain = (): void => {
    isFromStart = true;
    loop.wake();
  };
  const stopListening = leases.onTaken(lookAgain);

  return {
    lookAgain,
    list: (most) => byHand.list(most),
    async release(lane, as) {
      const released = await byHand.release(lane, as);
      heldAt.delete(lane);
      return released;
    },
    async stop() {
      stopListening();
      await loop.stop();
    },
  };
}
