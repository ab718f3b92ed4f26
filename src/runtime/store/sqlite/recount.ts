import { DROPPED_BY_OPERATOR } from "../item.ts";
import type { Database } from "./binding.ts";

/** State under which a row of items is counted. */
export const COUNTED_AS = `CASE WHEN status = 'failed' AND reason = '${DROPPED_BY_OPERATOR}' THEN 'dropped' ELSE status END`;

/**
 * The numbers as they are, from those that the file has and what the tables tell of later changes.
 *
 * Nothing but a prune takes entries and items away, and it writes the numbers: so there are as many as
 * there were then, and those that came after. A `seq` is told by its entry, or by its input; one whose
 * input is taken in and that is no entry's is written then.
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
  // Those that wait may be a million: only those that don't are looked at.
  const ready = one("SELECT count(*) AS n FROM runs INDEXED BY runs_ready WHERE status = 'ready'");
  now.set("run.ready", ready);
  now.set("run.waiting", one("SELECT count(*) AS n FROM work WHERE kind = 'run'") - ready);
  return now;
}
