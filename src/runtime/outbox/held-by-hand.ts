import type { Clock } from "../clock/clock.ts";
import type { LeaseHolders } from "../loop/lease-holders.ts";
import { DROPPED_BY_OPERATOR, HELD_QUIET, type Item } from "../store/item.ts";
import type { OutboxPort } from "../store/store.ts";
import type { ChangeItem } from "./change-item.ts";
import { openItems } from "./open-items.ts";

/** What is held back in one lane. */
export interface HeldLane {
  /** User id of the account that would answer. */
  readonly account: string;
  readonly lane: string;
  readonly items: number;
  /** When the first of them was queued, by the platform's clock. */
  readonly since: number;
  /** Why the last of them is held. */
  readonly reason: string;
  /** The event that the last of them answers. */
  readonly seq: number;
}

/** What becomes of held items. */
export type Release = "sent" | "dropped";

/** What an operator sees and decides of answers that are held back. */
export interface HeldByHand {
  /** By lane, those that began first come first. @param most How many items are looked at. */
  list(most?: number): Promise<readonly HeldLane[]>;
  /** Lets the items of a lane go, in their order, or gives them up. @returns how many. */
  release(lane: string, as: Release): Promise<number>;
}

export interface HeldByHandNeeds {
  readonly store: Pick<OutboxPort, "openItems">;
  readonly change: ChangeItem;
  readonly clock: Clock;
  readonly holders: LeaseHolders;
  /** Items may be due. */
  readonly wake: () => void;
}

/** Answers that are held back, whichever process works on them. */
export function heldByHand(needs: HeldByHandNeeds): HeldByHand {
  const { store, change, clock, holders } = needs;
  const held = () => {
    const all = holders();
    const leases = all.map(({ lease }) => lease);
    const holderOf = (item: Item) => all.find(({ lease }) => lease.partition === item.partition);
    return { items: openItems(store, leases, "held"), holderOf };
  };
  return {
    async list(most = Infinity) {
      const items: Item[] = [];
      for await (const item of held().items) {
        if (item.reason !== HELD_QUIET) items.push(item);
        if (items.length >= most) break;
      }
      return byLane(items);
    },
    async release(lane, as) {
      let released = 0;
      const { items, holderOf } = held();
      for await (const item of items) {
        const holder = holderOf(item);
        if (item.lane !== lane || item.reason === HELD_QUIET || holder === undefined) continue;
        const next =
          as === "sent"
            ? ({ to: "pending", notBefore: clock.now(), reason: "let go by the operator" } as const)
            : ({ to: "failed", reason: DROPPED_BY_OPERATOR } as const);
        if (await change(item, holder.lease, "held", next, holder.worker)) released += 1;
      }
      if (released > 0) needs.wake();
      return released;
    },
  };
}

/** What is held in each lane, those that began first come first. */
export function byLane(items: readonly Item[]): readonly HeldLane[] {
  const lanes = new Map<string, HeldLane>();
  for (const { account, lane, seq, notBefore, reason = "" } of items) {
    const before = lanes.get(lane);
    const since = Math.min(before?.since ?? Infinity, notBefore);
    lanes.set(lane, { account, lane, items: (before?.items ?? 0) + 1, since, reason, seq });
  }
  return [...lanes.values()].toSorted((a, b) => a.since - b.since);
}
