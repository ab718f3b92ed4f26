import type { ItemStatus } from "../../item.ts";
import type { Database } from "../binding.ts";
import { LaneHeap } from "./lane-heap.ts";
import type { ItemRow } from "../../tables/rows.ts";

/** Columns of an unsettled item that decide when its lane may send. */
export interface OpenItem {
  readonly id: number;
  readonly lane: string;
  readonly status: ItemStatus;
  readonly notBefore: number;
  readonly expiresAt: number | null;
  readonly priority: number;
}

type OpenRow = Pick<ItemRow, "id" | "lane" | "status" | "not_before" | "expires_at" | "priority">;

/**
 * In-memory index of the outbox: the next item of each lane, and the time from which it may be sent.
 *
 * A lane whose first item is being sent has no next item. A lane whose first item is unknown is sorted by the time at
 * which that item stops blocking the lane. The time to find due items therefore depends on their number, not on the
 * number of waiting items. The index is read when the file is opened, and updated after each commit that changes items.
 * Held items do not block lanes.
 */
export class OpenItems {
  /** Open items of each lane, ordered by id. */
  readonly #lanes = new Map<string, OpenItem[]>();
  /** Lanes by priority, sorted by the time from which their next item may be sent, then by the item's id. */
  readonly #due = new Map<number, LaneHeap>();
  readonly #states = new Map<ItemStatus, Set<number>>();
  /** Priority of each lane's next item. Lanes without a next item are absent. */
  readonly #priorities = new Map<string, number>();
  /** Pending and held items, sorted by the time at which they expire. */
  readonly #expiring = new LaneHeap();

  constructor(db: Database) {
    const page = db.prepare<OpenRow>(
      `SELECT i.id, i.lane, i.status, i.not_before, i.expires_at, i.priority
       FROM work AS w CROSS JOIN items AS i ON i.id = w.id
       WHERE w.kind = 'item' AND w.id > ? ORDER BY w.id LIMIT ?`,
    );
    let after = 0;
    for (let rows = page.all(after, PAGE); rows.length > 0; rows = page.all(after, PAGE)) {
      for (const { not_before: notBefore, expires_at: expiresAt, ...row } of rows) {
        this.#insert({ ...row, notBefore, expiresAt });
        after = row.id;
      }
    }
    for (const lane of this.#lanes.keys()) this.#place(lane);
  }

  /** Whether the lane has unsettled items other than held ones. */
  has(lane: string): boolean {
    return this.#lanes.has(lane);
  }

  /** Adds or updates an unsettled item. */
  set(item: OpenItem): void {
    this.#insert(item);
    this.#place(item.lane);
  }

  /** Removes a settled item. */
  remove({ id, lane }: Pick<OpenItem, "id" | "lane">): void {
    this.#expiring.delete(String(id));
    if (this.#states.get("held")?.delete(id) === true) return;
    this.#leave({ id, lane });
    this.#place(lane);
  }

  /** Removes an item that is settled or held from the open items of its lane. */
  #leave({ id, lane }: Pick<OpenItem, "id" | "lane">): void {
    const items = this.#lanes.get(lane);
    if (items === undefined) return;
    const place = placeOf(items, id);
    const item = items[place];
    if (item?.id === id) {
      items.splice(place, 1);
      this.#states.get(item.status)?.delete(id);
    }
    if (items.length === 0) this.#lanes.delete(lane);
  }

  /** Returns ids of items that may be sent at `now`, one for each lane, by priority and then by time. */
  due(now: number, limit: number, wanted: (lane: string) => boolean): number[] {
    const ids: number[] = [];
    for (const priority of [...this.#due.keys()].sort((a, b) => a - b)) {
      for (const { lane, first, second } of this.#due.get(priority)?.inOrder() ?? []) {
        if (first > now || ids.length >= limit) break;
        if (wanted(lane)) ids.push(second);
      }
    }
    return ids;
  }

  /** Returns ids of pending and held items that have expired at `now`, at any position of their lanes. */
  overdue(now: number, limit: number): number[] {
    const ids: number[] = [];
    for (const { lane: id, first } of this.#expiring.inOrder()) {
      if (first > now || ids.length >= limit) break;
      ids.push(Number(id));
    }
    return ids;
  }

  /** Returns the ids above `after` of items with this status, in ascending order. */
  inState(status: ItemStatus, after: number, limit: number): number[] {
    return [...(this.#states.get(status) ?? [])]
      .filter((id) => id > after)
      .sort((a, b) => a - b)
      .slice(0, limit);
  }

  #insert(item: OpenItem): void {
    const waits = item.status === "pending" || item.status === "held";
    if (waits && item.expiresAt !== null) {
      this.#expiring.set(String(item.id), item.expiresAt, item.id);
    } else this.#expiring.delete(String(item.id));
    if (item.status === "held") {
      this.#leave(item);
      this.#idsIn("held").add(item.id);
      return;
    }
    this.#states.get("held")?.delete(item.id);
    const items = this.#lanes.get(item.lane) ?? [];
    this.#lanes.set(item.lane, items);
    const place = placeOf(items, item.id);
    const before = items[place]?.id === item.id ? items[place] : undefined;
    items.splice(place, before === undefined ? 0 : 1, item);
    if (before?.status === item.status) return;
    if (before !== undefined) this.#states.get(before.status)?.delete(item.id);
    this.#idsIn(item.status).add(item.id);
  }

  #idsIn(status: ItemStatus): Set<number> {
    const ids = this.#states.get(status) ?? new Set();
    this.#states.set(status, ids);
    return ids;
  }

  #place(lane: string): void {
    const next = nextOf(this.#lanes.get(lane) ?? []);
    const before = this.#priorities.get(lane);
    if (before !== undefined && before !== next?.priority) {
      this.#due.get(before)?.delete(lane);
      this.#priorities.delete(lane);
    }
    if (next === undefined) return;
    const { priority, from, id } = next;
    let heap = this.#due.get(priority);
    if (heap === undefined) this.#due.set(priority, (heap = new LaneHeap()));
    heap.set(lane, from, id);
    this.#priorities.set(lane, priority);
  }
}

/**
 * Returns the next item of a lane, and the time from which it may be sent: the first pending item, if all items before
 * it are unknown. Returns undefined if another item blocks the lane or none is pending.
 */
function nextOf(
  items: readonly OpenItem[],
): { readonly id: number; readonly from: number; readonly priority: number } | undefined {
  let from = Number.NEGATIVE_INFINITY;
  for (const { id, status, notBefore, priority } of items) {
    from = Math.max(from, notBefore);
    if (status === "pending") return { id, from, priority };
    if (status !== "unknown") return undefined;
  }
  return undefined;
}

/** Returns the index of the item with this id, or the index at which to insert it. */
function placeOf(items: readonly OpenItem[], id: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.id ?? id) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

const PAGE = 10_000;
