import { describeAction } from "../../actions/actions.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { RuntimeEvents } from "../runtime-events.ts";
import { countedAs, type Item, type ItemTransition } from "../store/item.ts";
import type { Lease } from "../store/lease.ts";
import type { OutboxPort } from "../store/store.ts";

export interface ChangeItemNeeds {
  /** The worker that holds the leases. */
  readonly name: string;
  readonly store: Pick<OutboxPort, "changeItems">;
  readonly clock: Clock;
  readonly log: Log;
  /** Publishes an event when an item is settled or its outcome is unknown. */
  readonly events: Pick<RuntimeEvents, "publish">;
  /** Called with the item's key before that event is published. */
  readonly onSettled?: (key: string) => void;
}

/**
 * Moves an item to another state, durably.
 *
 * @param worker Worker that holds the lease; by default this process.
 * @returns `false` when the item is no longer in the state `from`, or another worker holds the lease.
 */
export type ChangeItem = (
  item: Item,
  lease: Lease,
  from: ItemTransition["from"],
  next: Omit<ItemTransition, "id" | "partition" | "epoch" | "from" | "at">,
  worker?: string,
) => Promise<boolean>;

/** Creates the function that changes items, logs the changes and publishes their results. */
export function changeItem(needs: ChangeItemNeeds): ChangeItem {
  const { name, store, clock, log, events } = needs;
  return async (item, lease, from, next, worker = name) => {
    const { id, partition } = item;
    const change = { id, partition, epoch: lease.epoch, from, at: clock.now(), ...next };
    const [result] = await store.changeItems(worker, [change]);
    const line = { item: item.id, account: item.account, to: next.to, reason: next.reason };
    if (result !== "committed") {
      log.warn({ ...line, result }, "item not changed: another process has taken it over");
      return false;
    }
    const isDropped = countedAs({ status: next.to, reason: next.reason }) === "dropped";
    if (next.to === "sent") {
      log.info({ ...line, platformId: next.platformId }, describeAction(item.action));
    } else if (isDropped || (next.to === "pending" && from === "held")) {
      log.info(line, describeAction(item.action));
    } else if (next.to !== "sending") log.warn(line, describeAction(item.action));
    if (next.to !== "sending" && next.to !== "pending") {
      const { key, account, lane } = item;
      const dropped = isDropped && { dropped: true as const };
      needs.onSettled?.(key);
      events.publish({
        type: "item-settled",
        data: { id, account, lane, status: next.to, ...dropped },
      });
    }
    return true;
  };
}
