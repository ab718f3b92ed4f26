import type { Answering } from "../answering.ts";
import type { Clock } from "../../runtime/clock/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { LeaseHolders } from "../../runtime/loop/lease-holders.ts";
import { byHand } from "../../runtime/outbox/by-hand.ts";
import { changeItem } from "../../runtime/outbox/change-item.ts";
import { heldByHand } from "../../runtime/outbox/held-by-hand.ts";
import { personNames } from "../held-alarm.ts";
import { eventReader } from "../../runtime/runs/entry-event.ts";
import type { RuntimeEvents } from "../../runtime/runtime-events.ts";
import { countedAs } from "../../runtime/store/item.ts";
import type { Store } from "../../runtime/store/store.ts";

export interface NotAnsweringNeeds {
  readonly name: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Pick<RuntimeEvents, "publish">;
  /** Who holds leases in other processes. */
  readonly elsewhere: LeaseHolders;
}

/**
 * What a process that neither decides nor sends knows of that: nothing is in hand. What an operator changes, it changes
 * in the name of whoever works on it.
 */
export function notAnswering(needs: NotAnsweringNeeds): Answering {
  const { name, store, clock, events, elsewhere } = needs;
  const change = changeItem({
    name,
    store,
    clock,
    log: needs.log.child({ stage: "outbox" }),
    onSettled: (item) => {
      const { id, account, lane, status } = item;
      const dropped = countedAs(item) === "dropped" && { dropped: true as const };
      events.publish({ type: "item-settled", data: { id, account, lane, status, ...dropped } });
    },
  });
  // Whoever works on it looks for itself, within a second.
  const wake = (): void => {};
  const common = { store, change, clock, holders: elsewhere, wake };
  return {
    bots: { bots: [], faults: [], loading: [], trouble: () => undefined },
    inForce: { reload: async () => ({ count: 0, kept: [], problems: [] }) },
    leases: { held: () => [], onTaken: () => () => {}, onLost: () => () => {} },
    items: byHand(common),
    held: heldByHand(common),
    usernameOf: personNames(store, eventReader()),
    stalled: () => [],
    gate: { budgets: () => [], circuits: () => [] },
    arrived() {},
    async rulesChanged() {},
    status: () => ({ partitions: 0, inputs: 0, effects: 0, sending: 0 }),
  };
}
