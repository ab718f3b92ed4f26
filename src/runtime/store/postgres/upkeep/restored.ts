import { DOUBT } from "../../restored.ts";
import { RESTORED_FROM } from "../../restored.ts";
import { countChanges } from "../counts.ts";
import type { PostgresDatabase, Statements } from "../database.ts";
import { StatementValues } from "../params.ts";
import { getMeta, setMeta } from "../tables/meta.ts";
import type { WorkParts } from "../work/work.ts";

/** Name of the value in `meta` with the time until which another store answered: {@link WorkParts.answered}. */
const ANSWERED = "answered-elsewhere";

/** Returns until when another store answered in place of this restored store; undefined if it was not restored. */
export async function answeredElsewhere(db: Statements): Promise<WorkParts["answered"]> {
  const text = await getMeta(db, ANSWERED);
  return text === undefined ? undefined : (JSON.parse(text) as WorkParts["answered"]);
}

/** Starts a restored store; see {@link Store.startRestored}. */
export async function startRestored(
  db: Pick<PostgresDatabase, "transaction">,
  writer: string,
  { now, holdMs }: { readonly now: number; readonly holdMs: number },
): Promise<{ readonly doubted: number; readonly answered: WorkParts["answered"] }> {
  return db.transaction(async (tx) => {
    // The row lock lets only one process continue. Other processes wait for the lock, and then find no row.
    const [row] = await tx.query<{ value: string }>(
      "SELECT value FROM meta WHERE name = $1 FOR UPDATE",
      [RESTORED_FROM],
    );
    if (row === undefined) return { doubted: 0, answered: await answeredElsewhere(tx) };
    const doubted = await tx.query<{ status: "pending" | "sending" }>(
      `UPDATE open_items AS o SET status = 'unknown', ready = false, not_before = $1, reason = $2,
         started_at = coalesce(b.started_at, b.at, $3)
       FROM (SELECT o.id, o.status, o.started_at, j.at FROM open_items AS o JOIN items AS i ON i.id = o.id
         LEFT JOIN journal AS j ON j.seq = i.seq WHERE o.status IN ('pending', 'sending')) AS b
       WHERE o.id = b.id RETURNING b.status`,
      [now + holdMs, DOUBT, Number(row.value)],
    );
    const answered = { until: now, holdMs };
    await setMeta(tx, ANSWERED, JSON.stringify(answered));
    await tx.query("DELETE FROM meta WHERE name = $1", [RESTORED_FROM]);
    const params = new StatementValues();
    const were = (status: string): number => -doubted.filter((one) => one.status === status).length;
    const deltas = {
      "item.pending": were("pending"),
      "item.sending": were("sending"),
      "item.unknown": doubted.length,
    } as const;
    await tx.query(countChanges(params, writer, deltas), params.values);
    return { doubted: doubted.length, answered };
  });
}
