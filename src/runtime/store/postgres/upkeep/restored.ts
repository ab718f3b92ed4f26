import {
  ANSWERED_ELSEWHERE,
  type AccountElsewhere,
  answeredElsewhere,
  DOUBT,
  RESTORED_FROM,
  withAnswered,
} from "../../restored.ts";
import { countChanges } from "../counts.ts";
import type { PostgresDatabase, Statements } from "../database.ts";
import { StatementValues } from "../params.ts";
import { getMeta, setMeta } from "../tables/meta.ts";

/** Parameters of {@link Store.startRestored}. */
interface StartedRestored {
  readonly now: number;
  readonly holdMs: number;
  readonly elsewhere: AccountElsewhere | undefined;
}

/** Starts a restored store; see {@link Store.startRestored}. */
export async function startRestored(
  db: Pick<PostgresDatabase, "transaction">,
  writer: string,
  { now, holdMs, elsewhere }: StartedRestored,
): Promise<number> {
  return db.transaction(async (tx) => {
    const from = elsewhere?.from ?? (await restoredFrom(tx));
    if (from === undefined) return 0;
    const account = elsewhere?.account;
    // This lock waits for all decisions and sends. Those that begin later read the time that is stored here.
    await tx.query("SELECT 1 FROM leases ORDER BY partition FOR UPDATE");
    const doubted = await tx.query<{ status: "pending" | "sending" }>(
      `UPDATE open_items AS o SET status = 'unknown', ready = false, not_before = $1, reason = $2,
         started_at = coalesce(b.started_at, b.at, $3)
       FROM (SELECT o.id, o.status, o.started_at, j.at FROM open_items AS o JOIN items AS i ON i.id = o.id
         LEFT JOIN journal AS j ON j.seq = i.seq WHERE o.status IN ('pending', 'sending') AND ($4::text IS NULL OR i.account = $4)) AS b
       WHERE o.id = b.id RETURNING b.status`,
      [now + holdMs, DOUBT, from, account ?? null],
    );
    const earlier = answeredElsewhere(await getMeta(tx, ANSWERED_ELSEWHERE));
    const added = { ...(account !== undefined && { account }), until: now, holdMs };
    await setMeta(tx, ANSWERED_ELSEWHERE, JSON.stringify(withAnswered(earlier, added)));
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

/**
 * Returns the time of the restored backup, and deletes it; undefined if the store was not restored. The row lock lets only
 * one process continue: other processes wait for the lock, and then find no row.
 */
async function restoredFrom(tx: Statements): Promise<number | undefined> {
  const [row] = await tx.query<{ value: string }>(
    "DELETE FROM meta WHERE name = $1 RETURNING value",
    [RESTORED_FROM],
  );
  return row && Number(row.value);
}
