import { type Item, type ItemTransition, isSettled } from "../item.ts";
import type { CommitResult } from "../transition.ts";
import type { Database, Value } from "./binding.ts";
import type { Operations } from "./calls.ts";
import type { Counters } from "./counters.ts";
import type { Inbox } from "./inbox.ts";
import type { Leases } from "./leases.ts";
import { ITEM_COLUMNS, type ItemRow, toItem } from "./rows.ts";
import type { Runs } from "./runs.ts";
import { Select } from "./select.ts";

/** What goes out: the head of each lane, and the states that items move through. */
export class OutboxTable {
  readonly #counters: Counters;
  readonly #leases: Leases;
  readonly #inbox: Inbox;
  readonly #runs: Runs;
  readonly #due;
  readonly #nextPriority;
  readonly #overdue;
  readonly #open;
  readonly #read;
  readonly #move;
  readonly #list;

  constructor(db: Database, counters: Counters, leases: Leases, inbox: Inbox, runs: Runs) {
    this.#counters = counters;
    this.#leases = leases;
    this.#inbox = inbox;
    this.#runs = runs;
    this.#due = db.prepare<ItemRow>(
      `SELECT ${ITEM_COLUMNS} FROM items AS i INDEXED BY items_due
       WHERE status = 'pending' AND priority = ? AND (not_before, id) > (?, ?) AND not_before <= ?
         AND NOT EXISTS (SELECT 1 FROM items AS h
           WHERE h.lane = i.lane AND h.id < i.id AND h.settled_at IS NULL
             AND NOT (h.status = 'unknown' AND h.not_before <= ?))
       ORDER BY not_before, id LIMIT ?`,
    );
    this.#nextPriority = db.prepare<{ priority: number | null }>(
      `SELECT min(priority) AS priority FROM items INDEXED BY items_due
       WHERE status = 'pending' AND priority > ?`,
    );
    this.#overdue = db.prepare<ItemRow>(
      `SELECT ${ITEM_COLUMNS} FROM items INDEXED BY items_overdue
       WHERE status = 'pending' AND expires_at <= ? ORDER BY expires_at, id LIMIT ?`,
    );
    this.#open = db.prepare<ItemRow>(
      `SELECT ${ITEM_COLUMNS} FROM items WHERE status = ? AND id > ? ORDER BY id LIMIT ?`,
    );
    this.#read = db.prepare<ItemRow>(`SELECT ${ITEM_COLUMNS} FROM items WHERE id = ?`);
    this.#move = db.prepare(
      `UPDATE items SET status = ?, attempts = ?, not_before = ?, started_at = ?, settled_at = ?,
         platform_id = ?, reason = ?, expires_at = ? WHERE id = ?`,
    );
    this.#list = new Select<ItemRow>(db);
  }

  readonly dueItems: Operations["dueItems"] = (leases, now, limit) => {
    const covered = this.#leases.covers(leases);
    const found: Item[] = [];
    for (let done = -1; found.length < limit;) {
      const priority = this.#nextPriority.get(done)?.priority ?? undefined;
      if (priority === undefined) break;
      done = priority;
      let [time, id] = [Number.MIN_SAFE_INTEGER, 0];
      while (found.length < limit) {
        const page = this.#due.all(priority, time, id, now, now, limit);
        for (const row of page) if (covered(row.lane)) found.push(this.#item(row));
        const end = page.at(-1);
        if (end === undefined || page.length < limit) break;
        [time, id] = [end.not_before, end.id];
      }
    }
    return found.slice(0, limit);
  };

  readonly overdueItems: Operations["overdueItems"] = (leases, now, limit) => {
    const covered = this.#leases.covers(leases);
    return this.#overdue
      .all(now, limit)
      .filter(({ lane }) => covered(lane))
      .map((row) => this.#item(row));
  };

  readonly openItems: Operations["openItems"] = (leases, { status, after, limit }) => {
    const covered = this.#leases.covers(leases);
    const found: Item[] = [];
    for (let from = after; ;) {
      const page = this.#open.all(status, from, limit);
      for (const row of page) if (covered(row.lane)) found.push(this.#item(row));
      const last = page.at(-1);
      if (found.length >= limit) return found.slice(0, limit);
      if (last === undefined || page.length < limit) return found;
      from = last.id;
    }
  };

  readonly changeItems: Operations["changeItems"] = (worker, transitions) =>
    transitions.map((one) => (this.#leases.holds(worker, one) ? this.#change(one) : "fenced"));

  #change(one: ItemTransition): CommitResult {
    const row = this.#read.get(one.id);
    if (row === undefined || row.status !== one.from || !mayLeave(one)) return "already-done";
    if (this.#leases.partitionOf(row.lane) !== one.partition) return "fenced";
    const { to, at } = one;
    const starts = to === "sending";
    const values: readonly Value[] = [
      to,
      row.attempts + (starts ? 1 : 0),
      one.notBefore ?? row.not_before,
      starts ? at : row.started_at,
      isSettled(to) ? at : null,
      one.platformId ?? row.platform_id,
      one.reason ?? null,
      one.expiresAt ?? row.expires_at,
    ];
    this.#move.run(...values, row.id);
    this.#counters.add(`item.${one.from}`, -1);
    this.#counters.add(`item.${to}`, 1);
    if (isSettled(to) && this.#isAwaited(row)) this.#inbox.addSettled(row.lane, row.id);
    return "committed";
  }

  /** A run waits for the item, and goes on when it is settled. */
  #isAwaited({ run, key }: ItemRow): boolean {
    const found = this.#runs.find(run);
    return found?.status === "waiting" && found.waitsFor === key;
  }

  readonly items: Operations["items"] = ({ id, seq, lane, account, status, before, limit }) =>
    this.#list
      .newest(`SELECT ${ITEM_COLUMNS} FROM items`, "id", limit, [
        ["id = ?", id],
        ["seq = ?", seq],
        ["lane = ?", lane],
        ["account = ?", account],
        ["status = ?", status],
        ["id < ?", before],
      ])
      .map((row) => this.#item(row));

  #item(row: ItemRow): Item {
    return toItem(row, this.#leases.partitionOf(row.lane));
  }
}

/** What was sent stays sent; what was given up may be tried again. */
function mayLeave({ from, to }: ItemTransition): boolean {
  return !isSettled(from) || (from !== "sent" && to === "pending");
}
