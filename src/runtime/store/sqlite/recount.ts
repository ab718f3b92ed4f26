import { DROPPED_BY_OPERATOR } from "../item.ts";
import type { Database } from "./binding.ts";

/** SQL expression for the status under which an item is counted. */
export const COUNTED_AS = `CASE WHEN status = 'failed' AND reason = '${DROPPED_BY_OPERATOR}' THEN 'dropped' ELSE status END`;

/**
 * Returns the current counters: the values in the file, plus later changes that it finds in the tables.
 *
 * Only `prune` and `forget` delete entries and items, and both write the counters to the file. Only rows that are newer
 * than the written values have to be counted. The last `seq` is found in an entry or in an input. If the input of a
 * settled item had the last `seq` and is removed, no row has that `seq` any more, so `Inbox.takeIn` writes the
 * counters.
 */
export function recount(db: Database, written: ReadonlyMap<string, number>): Map<string, number> {
  const now = new Map(written);
  const then = (name: string): number => written.get(name) ?? 0;
  const one = (sql: string, ...values: number[]): number =>
    db.prepare<{ n: number | null }>(sql).get(...values)?.n ?? 0;

  const entry = one("SELECT max(seq) AS n FROM journal");
  now.set("entry", entry);
  now.set(
    "seq",
    Math.max(then("seq"), entry, one("SELECT max(id) AS n FROM work WHERE kind = 'input'")),
  );
  now.set("item", Math.max(then("item"), one("SELECT max(id) AS n FROM items")));
  const came = one("SELECT count(*) AS n FROM journal WHERE seq > ?", then("seq"));
  now.set("journal", then("journal") + came);
  now.set("inbox", one("SELECT count(*) AS n FROM work WHERE kind = 'input'"));

  const queued = one("SELECT count(*) AS n FROM items WHERE id > ?", then("item"));
  const items = then("items") + queued;
  now.set("items", items);
  const each = (sql: string, prefix: string): number =>
    db
      .prepare<{ status: string; n: number }>(sql)
      .all()
      .reduce((sum, { status, n }) => {
        now.set(`${prefix}.${status}`, n);
        return sum + n;
      }, 0);
  const unsent = each(
    `SELECT i.status AS status, count(*) AS n FROM work AS w CROSS JOIN items AS i ON i.id = w.id
     WHERE w.kind = 'item' GROUP BY i.status
     UNION ALL SELECT ${COUNTED_AS} AS counted, count(*) FROM items INDEXED BY items_given_up
     WHERE status IN ('failed', 'expired') GROUP BY counted`,
    "item",
  );
  now.set("item.sent", items - unsent);
  // A million runs may be waiting, so only the ready ones are counted row by row.
  const ready = one("SELECT count(*) AS n FROM runs INDEXED BY runs_ready WHERE status = 'ready'");
  now.set("run.ready", ready);
  now.set("run.waiting", one("SELECT count(*) AS n FROM work WHERE kind = 'run'") - ready);
  return now;
}
