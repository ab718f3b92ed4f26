import { describeAction } from "../../actions/actions.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { RuntimeEvents } from "../runtime-events.ts";
import {
  countedAs,
  HELD_QUIET,
  isSettled,
  type Item,
  type ItemTransition,
  type EndOfRun,
} from "../store/item.ts";
import type { Lease } from "../store/lease.ts";
import type { OutboxPort } from "../store/store.ts";

export interface ChangeItemNeeds {
  /** Name of this process, under which it holds its leases. */
  readonly name: string;
  readonly store: Pick<OutboxPort, "changeItems">;
  readonly clock: Clock;
  readonly log: Log;
  /** Publishes an event when an item is settled or its outcome is unknown. */
  readonly events: Pick<RuntimeEvents, "publish">;
  /** Called with the item's key before its `item-settled` event is published. */
  readonly onSettled?: (key: string) => void;
  /** Called when the write of an item's outcome has begun, in the same turn of the event loop. */
  readonly onOutcomeSent?: () => void;
  /** Called after the `item-settled` event is published, if a run may have to continue because of the item. */
  readonly onQueued?: () => void;
  /**
   * Returns the end of the run that waits for the item; `undefined` if the run does not end with the item. The end is
   * stored in the same transaction as the item's change, and `stored` is called afterwards.
   *
   * @param settled The item as the change will store it.
   */
  readonly endOf?: (
    settled: Item,
  ) => Promise<(EndOfRun & { readonly stored: () => void }) | undefined>;
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
    const at = clock.now();
    const end = isSettled(next.to) ? await needs.endOf?.(settledItem(item, next, at)) : undefined;
    const ends = end && { ends: { run: end.run, cancelled: end.cancelled } };
    const change = { id, partition, epoch: lease.epoch, from, at, ...next, ...ends };
    const changing = store.changeItems(worker, [change]);
    if (next.to !== "sending") needs.onOutcomeSent?.();
    const [result] = await changing;
    const line = { item: item.id, account: item.account, to: next.to, reason: next.reason };
    if (result !== "committed" && result !== "ended") {
      log.warn({ ...line, result }, "item not changed: another process has taken it over");
      return false;
    }
    const isDropped = countedAs({ status: next.to, reason: next.reason }) === "dropped";
    if (next.to === "sent") {
      log.info({ ...line, platformId: next.platformId }, describeAction(item.action));
    } else if (
      isDropped ||
      (next.to === "pending" && from === "held") ||
      next.reason === HELD_QUIET
    ) {
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
      if (result === "ended") end?.stored();
      else needs.onQueued?.();
    }
    return true;
  };
}

/** Returns the item as it will be stored after the change `next`, which settles it. */
function settledItem(item: Item, next: Parameters<ChangeItem>[3], at: number): Item {
  const { to: status, platformId = item.platformId, result = item.result, reason } = next;
  const { reason: _before, ...rest } = item;
  return {
    ...rest,
    status,
    settledAt: at,
    ...(platformId !== undefined && { platformId }),
    ...(result !== undefined && { result }),
    ...(reason !== undefined && { reason }),
  };
}
