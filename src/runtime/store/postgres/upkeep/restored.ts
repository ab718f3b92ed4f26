import {
  ANSWERED_ELSEWHERE,
  type AnsweredElsewhere,
  DOUBT,
  RESTORED_FROM,
} from "../../restored.ts";
import { countChanges } from "../counts.ts";
import type { PostgresDatabase } from "../database.ts";
import { StatementValues } from "../params.ts";
import { setMeta } from "../tables/meta.ts";

/** Starts a restored store; see {@link Store.startRestored}. */
export async function startRestored(
  db: Pick<PostgresDatabase, "transaction">,
  writer: string,
  { now, holdMs }: { readonly now: number; readonly holdMs: number },
): Promise<number> {
  return db.transaction(async (tx) => {
    // The row lock lets only one process continue. Other processes wait for the lock, and then find no row.
    const [row] = await tx.query<{ value: string }>(
      "DELETE FROM meta WHERE name = $1 RETURNING value",
      [RESTORED_FROM],
    );
    if (row === undefined) return 0;
    // This lock waits for all decisions and sends. Those that begin later read the time that is stored here.
    await tx.query("SELECT 1 FROM leases ORDER BY partition FOR UPDATE");
    const doubted = await tx.query<{ status: "pending" | "sending" }>(
      `UPDATE open_items AS o SET status = 'unknown', ready = false, not_before = $1, reason = $2,
         started_at = coalesce(b.started_at, b.at, $3)
       FROM (SELECT o.id, o.status, o.started_at, j.at FROM open_items AS o JOIN items AS i ON i.id = o.id
         LEFT JOIN journal AS j ON j.seq = i.seq WHERE o.status IN ('pending', 'sending')) AS b
       WHERE o.id = b.id RETURNING b.status`,
      [now + holdMs, DOUBT, Number(row.value)],
    );
    const answered: AnsweredElsewhere = { until: now, holdMs };
    await setMeta(tx, ANSWERED_ELSEWHERE, JSON.stringify(answered));
    const params = new StatementValues();
    const were = (status: string): number => -doubted.filter((one) => one.status === status).length;
    const deltas = {
      "item.pending": were("pending"),
      "item.sending": were("sending"),
      "item.unknown": doubted.length,
    } as const;
    await tx.query(countChanges(params, writer, deltas), params.values);
    return doubted.length;
  });
}
