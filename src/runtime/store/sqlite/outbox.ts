import { type Item, type ItemSettled, type Mark, SETTLED } from "../store.ts";
import type { Database, Value } from "./binding.ts";
import type { Operations } from "./calls.ts";
import type { Counters } from "./counters.ts";
import type { Inbox } from "./inbox.ts";
import type { Leases } from "./leases.ts";
import { ITEM_COLUMNS, type ItemRow, toItem } from "./rows.ts";
import { Select } from "./select.ts";

/** What goes out: the head of each lane, and the states that items move through. */
export class Outbox {
  readonly #counters: Counters;
  readonly #leases: Leases;
  readonly #inbox: Inbox;
  readonly #due;
  readonly #read;
  readonly #move;
  readonly #list;

  constructor(db: Database, counters: Counters, leases: Leases, inbox: Inbox) {
    this.#counters = counters;
    this.#leases = leases;
    this.#inbox = inbox;
    this.#due = db.prepare<ItemRow>(
      `SELECT ${ITEM_COLUMNS} FROM items AS i INDEXED BY items_due
       WHERE status = 'pending' AND (not_before, id) > (?, ?) AND not_before <= ?
         AND NOT EXISTS (SELECT 1 FROM items AS h
           WHERE h.lane = i.lane AND h.id < i.id AND h.settled_at IS NULL)
       ORDER BY not_before, id LIMIT ?`,
    );
    this.#read = db.prepare<ItemRow>(`SELECT ${ITEM_COLUMNS} FROM items WHERE id = ?`);
    this.#move = db.prepare(
      `UPDATE items SET status = ?, attempts = ?, not_before = ?, started_at = ?, settled_at = ?,
         platform_id = ?, reason = ? WHERE id = ?`,
    );
    this.#list = new Select<ItemRow>(db);
  }

  readonly outbox: Operations["outbox"] = (leases, now, limit) => {
    const covered = this.#leases.covers(leases);
    const found: Item[] = [];
    let [time, id] = [Number.MIN_SAFE_INTEGER, 0];
    while (found.length < limit) {
      const page = this.#due.all(time, id, now, limit);
      for (const row of page) if (covered(row.lane)) found.push(this.#item(row));
      const last = page.at(-1);
      if (last === undefined || page.length < limit) break;
      [time, id] = [last.not_before, last.id];
    }
    return found.slice(0, limit);
  };

  readonly mark: Operations["mark"] = (worker, marks) =>
    marks.map((mark) => this.#leases.holds(worker, mark) && this.#change(mark));

  #change(mark: Mark): boolean {
    const row = this.#read.get(mark.id);
    if (row === undefined || row.status !== mark.from || isSettled(mark.from)) return false;
    if (this.#leases.partitionOf(row.lane) !== mark.partition) return false;
    const { to, at } = mark;
    const starts = to === "sending";
    const platformId = mark.platformId ?? row.platform_id;
    const values: readonly Value[] = [
      to,
      row.attempts + (starts ? 1 : 0),
      mark.notBefore ?? row.not_before,
      starts ? at : row.started_at,
      isSettled(to) ? at : null,
      platformId,
      mark.reason ?? null,
    ];
    this.#move.run(...values, row.id);
    this.#counters.add(`item.${mark.from}`, -1);
    this.#counters.add(`item.${to}`, 1);
    if (isSettled(to)) {
      const { id, key, seq } = row;
      this.#tell(row, at, {
        id,
        key,
        seq,
        status: to,
        ...(platformId !== null && { platformId }),
        ...(mark.reason !== undefined && { reason: mark.reason }),
      });
    }
    return true;
  }

  /** A run that waits for the item goes on by this event. */
  #tell({ account, lane }: ItemRow, at: number, settled: ItemSettled): void {
    const kind = "item.settled";
    const key = `${kind}:${settled.id}`;
    const body = JSON.stringify(settled);
    this.#inbox.append([{ key, account, lane, kind, at, arrivedAt: at, source: "internal", body }]);
  }

  readonly items: Operations["items"] = ({ id, seq, lane, status, before, limit }) =>
    this.#list
      .newest(`SELECT ${ITEM_COLUMNS} FROM items`, "id", limit, [
        ["id = ?", id],
        ["seq = ?", seq],
        ["lane = ?", lane],
        ["status = ?", status],
        ["id < ?", before],
      ])
      .map((row) => this.#item(row));

  #item(row: ItemRow): Item {
    return toItem(row, this.#leases.partitionOf(row.lane));
  }
}

function isSettled(status: Mark["to"]): status is (typeof SETTLED)[number] {
  return SETTLED.some((settled) => settled === status);
}
