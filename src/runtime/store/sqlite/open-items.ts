import type { ItemStatus } from "../item.ts";
import type { Database } from "./binding.ts";
import { LaneHeap } from "./lane-heap.ts";
import type { ItemRow } from "./rows.ts";

/** An item that is not settled, as far as its lane's turn depends on it. */
export interface OpenItem {
  readonly id: number;
  readonly lane: string;
  readonly status: ItemStatus;
  readonly notBefore: number;
  readonly expiresAt: number | null;
  readonly priority: number;
}

type OpenRow = Pick<ItemRow, "id" | "lane" | "not_before" | "expires_at" | "priority">;

/**
 * Which item of each lane may go next, and from when on: the outbox's index, in memory.
 *
 * Lanes whose head is under way or unknown stand aside or far behind, so that looking for what is due
 * takes as long as there is something due, not as there is something waiting. It is read from the file
 * when that is opened, and changed after each transaction that changes items.
 */
export class OpenItems {
  /** The open items of each lane, in the order of their ids. */
  readonly #lanes = new Map<string, OpenItem[]>();
  /** By priority: lanes by the time from which on their next item may go, then by the item's id. */
  readonly #due = new Map<number, LaneHeap>();
  /** The priority of each lane's next item, where it has one. */
  readonly #priorities = new Map<string, number>();
  /** Pending items by the time at which they are given up. */
  readonly #expiring = new LaneHeap();

  constructor(db: Database) {
    const page = db.prepare<OpenRow>(
      `SELECT id, lane, not_before, expires_at, priority FROM items INDEXED BY items_unsent
       WHERE status = ? AND status <> 'sent' AND id > ? ORDER BY id LIMIT ?`,
    );
    for (const status of ["pending", "sending", "unknown"] as const) {
      let after = 0;
      for (let rows = page.all(status, after, PAGE); rows.length > 0;) {
        for (const { id, not_before: notBefore, expires_at: expiresAt, ...row } of rows) {
          this.#insert({ ...row, id, status, notBefore, expiresAt });
          after = id;
        }
        rows = page.all(status, after, PAGE);
      }
    }
    for (const lane of this.#lanes.keys()) this.#place(lane);
  }

  /** The item is in this state by now. */
  set(item: OpenItem): void {
    this.#insert(item);
    this.#place(item.lane);
  }

  /** The item is settled. */
  remove({ id, lane }: Pick<OpenItem, "id" | "lane">): void {
    const items = this.#lanes.get(lane);
    if (items === undefined) return;
    this.#expiring.delete(String(id));
    const place = placeOf(items, id);
    if (items[place]?.id === id) items.splice(place, 1);
    if (items.length === 0) this.#lanes.delete(lane);
    this.#place(lane);
  }

  /** Ids of the items that may go at `now`, one of a lane: by priority, then in the order of their times. */
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

  /** Ids of pending items whose time is over at `now`, wherever they are in their lanes. */
  overdue(now: number, limit: number): number[] {
    const ids: number[] = [];
    for (const { lane: id, first } of this.#expiring.inOrder()) {
      if (first > now || ids.length >= limit) break;
      ids.push(Number(id));
    }
    return ids;
  }

  #insert(item: OpenItem): void {
    if (item.status === "pending" && item.expiresAt !== null) {
      this.#expiring.set(String(item.id), item.expiresAt, item.id);
    } else this.#expiring.delete(String(item.id));
    const items = this.#lanes.get(item.lane);
    if (items === undefined) {
      this.#lanes.set(item.lane, [item]);
      return;
    }
    const place = placeOf(items, item.id);
    items.splice(place, items[place]?.id === item.id ? 1 : 0, item);
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

/** The first pending item that has only unknown ones before it, and when all of them let it go. */
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

/** Where the item with this id is, or belongs. */
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
