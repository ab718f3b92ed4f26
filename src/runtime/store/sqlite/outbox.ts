import {
  countedAs,
  type CountedStatus,
  DROPPED_BY_OPERATOR,
  isSettled,
  type Item,
  type NewItem,
} from "../item.ts";
import { runIdParts } from "../run.ts";
import {
  type AnsweredPerson,
  type AnswersKept,
  type KeptAnswer,
  receiverIn,
} from "../in-memory/answer-counts.ts";
import type { Afterwards } from "../in-memory/afterwards.ts";
import type { Database } from "./binding.ts";
import type { Operations } from "./calls.ts";
import type { Counters } from "./counters.ts";
import type { Leases } from "./leases.ts";
import type { OpenItems } from "./waiting/open-items.ts";
import type { Pauses } from "./waiting/pauses.ts";
import { listed } from "../tables/columns.ts";
import { type ItemRow, type ItemState, newItemRow, toItem } from "../tables/rows.ts";
import { ITEMS } from "../tables/tables.ts";
import { rowInsert, rowUpdate } from "./row-writes.ts";
import { Select } from "./select.ts";

/** Dependencies of {@link OutboxTable}. */
interface OutboxParts {
  readonly counters: Counters;
  readonly leases: Leases;
  readonly open: OpenItems;
  readonly pauses: Pauses;
  readonly afterwards: Afterwards;
}

/** Stores items and changes of their status, and finds the next item of each lane. */
export class OutboxTable implements AnswersKept {
  readonly #parts: OutboxParts;
  readonly #queue;
  readonly #begin;
  readonly #end;
  readonly #read;
  readonly #move;
  readonly #list;
  readonly #unsent;
  readonly #unsentIn;
  readonly #latest;
  readonly #discount;
  readonly #addressed;
  readonly #drop;
  /** Lanes with items that the current transaction adds or opens again. */
  readonly #changed = new Set<string>();

  constructor(db: Database, parts: OutboxParts) {
    this.#parts = parts;
    this.#queue = rowInsert(db, ITEMS, "ON CONFLICT (key, account) DO NOTHING");
    this.#begin = db.prepare("INSERT INTO work (kind, id) VALUES ('item', ?)");
    this.#end = db.prepare("DELETE FROM work WHERE kind = 'item' AND id = ?");
    this.#read = db.prepare<ItemRow>(`SELECT ${listed(ITEMS.shown)} FROM items WHERE id = ?`);
    this.#move = rowUpdate(db, ITEMS.updated);
    this.#list = new Select<ItemRow>(db);
    this.#unsent = db.prepare<ItemRow>(
      `SELECT ${listed(ITEMS.shown)} FROM items WHERE seq = ? AND run = ? AND status IN ('pending', 'held')`,
    );
    this.#unsentIn = db.prepare<ItemRow>(
      `SELECT ${listed(ITEMS.shown)} FROM items WHERE lane = ? AND status IN ('pending', 'held', 'unknown')`,
    );
    this.#latest = db.prepare<KeptAnswer>(
      `SELECT action, counted_at, heard FROM items
       WHERE lane = ? AND counted_at IS NOT NULL AND instr(action, ?) > 0 ORDER BY id DESC LIMIT ?`,
    );
    this.#discount = db.prepare(
      `UPDATE items SET counted_at = NULL WHERE counted_at IS NOT NULL AND id IN
         (SELECT id FROM items WHERE lane = ? ORDER BY id DESC LIMIT ?)`,
    );
    this.#addressed = db.prepare<ItemRow>(
      `SELECT ${listed(ITEMS.shown)} FROM items
       WHERE seq > ? AND seq <= ? AND (lane = account || '/' || ? OR instr(action, ?) > 0)`,
    );
    this.#drop = db.prepare("DELETE FROM items WHERE id = ?");
  }

  /** Returns the last counted answers to a person, newest first. */
  latest({ lane, to }: AnsweredPerson, most: number): readonly KeptAnswer[] {
    return this.#latest.all(lane, receiverIn(to), most);
  }

  /** Excludes the last items of a lane from the counts that limits compare. */
  discount(lane: string, most: number): void {
    this.#discount.run(lane, most);
  }

  /** @returns The item with its number; `undefined` if the account already has an item with the same key. */
  add(item: NewItem, state: ItemState): ItemRow | undefined {
    const { counters } = this.#parts;
    const id = counters.get("item") + 1;
    const row = newItemRow(id, item, state);
    if (this.#queue(row) === 0) return undefined;
    this.#begin.run(id);
    counters.add("item", 1);
    counters.add("items", 1);
    counters.add(`item.${row.status}`, 1);
    this.#keepInMind(row, state);
    return row;
  }

  #keepInMind({ id, lane, priority }: ItemRow, state: ItemState): void {
    const { open, afterwards } = this.#parts;
    const { status, not_before: notBefore, expires_at: expiresAt } = state;
    this.#changed.add(lane);
    afterwards.elseUndo(() => this.#changed.delete(lane));
    afterwards.add(() => {
      this.#changed.delete(lane);
      open.set({ id, lane, status, notBefore, expiresAt, priority });
    });
  }

  /** Whether a new item of the lane may be sent at once: no unsettled item, except held ones, and no pause precede it. */
  isFree(lane: string): boolean {
    const { open, pauses } = this.#parts;
    return !open.has(lane) && !this.#changed.has(lane) && !pauses.holds(lane);
  }

  find(id: number): ItemRow | undefined {
    return this.#read.get(id);
  }

  change(before: ItemRow, state: ItemState): void {
    const { id, lane } = before;
    this.#move({ id, ...state });
    const { counters, open, afterwards } = this.#parts;
    if (isSettled(state.status)) {
      this.#end.run(id);
      afterwards.add(() => open.remove({ id, lane }));
    } else {
      if (isSettled(before.status)) this.#begin.run(id);
      this.#keepInMind(before, state);
    }
    counters.add(`item.${countedAs(before)}`, -1);
    counters.add(`item.${countedAs(state)}`, 1);
  }

  /** Returns the pending and held items of a run. */
  unsentOf(run: string): readonly ItemRow[] {
    return this.#unsent.all(runIdParts(run)[0], run);
  }

  /** Returns the pending, held and unknown items of a lane. */
  unsentIn(lane: string): readonly ItemRow[] {
    return this.#unsentIn.all(lane);
  }

  /** Returns the items to a person that were queued for a range of entries: later than `after`, up to `end`. */
  addressedTo(person: string, after: number, end: number): readonly ItemRow[] {
    return this.#addressed.all(after, end, person, receiverIn(person));
  }

  /** Deletes a settled item. */
  drop(item: ItemRow): void {
    this.#drop.run(item.id);
    this.#parts.counters.add(`item.${countedAs(item)}`, -1);
    this.#parts.counters.add("items", -1);
  }

  readonly dueItems: Operations["dueItems"] = (leases, now, limit) => {
    const { open, pauses } = this.#parts;
    const covered = this.#parts.leases.covers(leases);
    return this.#itemsOf(open.due(now, limit, (lane) => covered(lane) && !pauses.holds(lane)));
  };

  readonly overdueItems: Operations["overdueItems"] = (leases, now, limit) =>
    this.#itemsOf(this.#parts.open.overdue(now, limit)).filter(({ lane }) =>
      this.#parts.leases.covers(leases)(lane),
    );

  #itemsOf(ids: readonly number[]): Item[] {
    return ids.flatMap((id) => {
      const row = this.#read.get(id);
      return row === undefined ? [] : [this.#item(row)];
    });
  }

  readonly openItems: Operations["openItems"] = (leases, { status, after, limit }) => {
    const covered = this.#parts.leases.covers(leases);
    const items: Item[] = [];
    for (let from = after; ;) {
      const ids = this.#parts.open.inState(status, from, limit);
      items.push(...this.#itemsOf(ids).filter(({ lane }) => covered(lane)));
      const last = ids.at(-1);
      if (items.length >= limit) return items.slice(0, limit);
      if (last === undefined || ids.length < limit) return items;
      from = last;
    }
  };

  readonly items: Operations["items"] = ({ id, seq, lane, account, status, before, ...query }) => {
    const { seqFrom, seqTo, limit } = query;
    const isNarrow = [id, seq, seqFrom, seqTo, lane].some((one) => one !== undefined);
    return this.#list
      .newest(`SELECT ${listed(ITEMS.shown)} FROM items`, "id", limit, [
        ["id = ?", id],
        ["seq = ?", seq],
        ["seq >= ?", seqFrom],
        ["seq <= ?", seqTo],
        ["lane = ?", lane],
        ["account = ?", account],
        [isNarrow ? "+status = ?" : inState(status), status === "dropped" ? "failed" : status],
        ["reason = ?", status === "dropped" ? DROPPED_BY_OPERATOR : undefined],
        ["reason IS NOT ?", status === "failed" ? DROPPED_BY_OPERATOR : undefined],
        ["id < ?", before],
      ])
      .map((row) => this.#item(row));
  };

  #item(row: ItemRow): Item {
    return toItem(row, this.#parts.leases.partitionOf(row.lane));
  }
}

/**
 * Returns the SQL condition that finds items of a status fastest. Most items are sent, so a scan from the newest item
 * soon finds them. Failed and expired items have an index, and unsettled items have rows in `work`.
 */
function inState(status: CountedStatus | undefined): string {
  if (status === "sent") return "+status = ?";
  if (status === "failed" || status === "dropped" || status === "expired") {
    return "status IN ('failed', 'expired') AND status = ?";
  }
  return "id IN (SELECT id FROM work WHERE kind = 'item') AND status = ?";
}
