import type { Clock } from "../clock/clock.ts";
import type { LeaseHolders } from "../loop/lease-holders.ts";
import type { HeldLeases } from "../loop/leases.ts";
import { BY_OPERATOR, DROPPED_BY_OPERATOR, HELD_QUIET, type Item } from "../store/item.ts";
import type { OutboxPort } from "../store/store.ts";
import type { ChangeItem } from "./change-item.ts";
import { openItems } from "./open-items.ts";

/** Items of one lane that are held back for the operator's decision. */
export interface HeldLane {
  /** User id of the account that would answer. */
  readonly account: string;
  readonly lane: string;
  readonly items: number;
  /** Time at which the first of these items was queued, by the platform's clock. */
  readonly since: number;
  /** Reason why the last of these items is held. */
  readonly reason: string;
  /** Journal sequence number of the event that the last of these items answers. */
  readonly seq: number;
}

/** Operator's decision on held items. */
export type Release = "sent" | "dropped";

/** Operator's view of held answers, and decisions on them. */
export interface HeldByHand {
  /** Returns the lanes with held items, the longest-held first. @param most Maximum number of items that are read. */
  list(most?: number): Promise<readonly HeldLane[]>;
  /** Sends the held items of a lane in their order, or gives them up. @returns the number of changed items. */
  release(lane: string, as: Release): Promise<number>;
}

export interface HeldByHandNeeds {
  readonly store: Pick<OutboxPort, "openItems">;
  readonly change: ChangeItem;
  readonly clock: Clock;
  readonly holders: LeaseHolders;
  readonly leases: Pick<HeldLeases, "whenValid">;
  /** Triggers a poll of the outbox, which sends items that are due now. */
  readonly wake: () => void;
}

/** Creates the operations on held answers of all partitions, including partitions that another process leases. */
export function heldByHand(needs: HeldByHandNeeds): HeldByHand {
  const { store, change, clock, holders } = needs;
  const held = async () => {
    // While this process's leases have expired, its held answers would seem to be none.
    await needs.leases.whenValid();
    const all = holders();
    const leases = all.map(({ lease }) => lease);
    const holderOf = (item: Item) => all.find(({ lease }) => lease.partition === item.partition);
    return { items: openItems(store, leases, "held"), holderOf };
  };
  return {
    async list(most = Infinity) {
      const items: Item[] = [];
      for await (const item of (await held()).items) {
        if (item.reason !== HELD_QUIET) items.push(item);
        if (items.length >= most) break;
      }
      return byLane(items);
    },
    async release(lane, as) {
      let released = 0;
      const { items, holderOf } = await held();
      for await (const item of items) {
        const holder = holderOf(item);
        if (item.lane !== lane || item.reason === HELD_QUIET || holder === undefined) continue;
        const next =
          as === "sent"
            ? ({
                to: "pending",
                notBefore: clock.now(),
                reason: BY_OPERATOR.released,
              } as const)
            : ({ to: "failed", reason: DROPPED_BY_OPERATOR } as const);
        if (await change(item, holder.lease, "held", next, holder.worker)) released += 1;
      }
      if (released > 0) needs.wake();
      return released;
    },
  };
}

/** Groups held items by lane, the longest-held lane first. */
export function byLane(items: readonly Item[]): readonly HeldLane[] {
  const lanes = new Map<string, HeldLane>();
  for (const { account, lane, seq, notBefore, reason = "" } of items) {
    const before = lanes.get(lane);
    const since = Math.min(before?.since ?? Infinity, notBefore);
    lanes.set(lane, { account, lane, items: (before?.items ?? 0) + 1, since, reason, seq });
  }
  return [...lanes.values()].toSorted((a, b) => a.since - b.since);
}
