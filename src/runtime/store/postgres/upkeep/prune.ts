import { countedAs, type ItemStatus } from "../../item.ts";
import { countChanges } from "../counts.ts";
import type { PostgresDatabase, Statements } from "../database.ts";
import { StatementValues } from "../params.ts";

/** Time limits of a prune; see {@link Store.prune}. */
export interface PruneTimes {
  readonly before: number;
  readonly now: number;
}

/** Deletes old rows that are no longer needed, in small transactions. @returns The number of deleted entries. */
export async function prune(
  db: PostgresDatabase,
  times: PruneTimes,
  writer: string,
): Promise<number> {
  const { before, now } = times;
  await db.query("DELETE FROM coverage WHERE ends < $1", [before]);
  await db.query("DELETE FROM forgotten WHERE at < $1", [before]);
  await db.query(
    "UPDATE escalations SET silences = false WHERE silences AND silent_until IS NOT NULL AND silent_until <= $1",
    [now],
  );
  while ((await dropExpired(db, now)) === SLICE);
  await db.query(
    `DELETE FROM rule_sources WHERE saved_at < $1 AND revision NOT IN (
       SELECT revision FROM runs WHERE status = 'ready' UNION SELECT revision FROM runs WHERE status = 'waiting')`,
    [before],
  );
  let dropped = 0;
  for (let after: number | undefined = 0; after !== undefined;) {
    const slice: Slice = await dropSlice(db, before, after, writer);
    dropped += slice.dropped;
    after = slice.next;
  }
  // An escalation may be resolved long after its entry was deleted.
  await db.query(
    `DELETE FROM escalations AS e WHERE resolved_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM journal AS j WHERE j.seq = e.seq)`,
  );
  await sumUp(db);
  return dropped;
}

async function dropExpired(db: Statements, now: number): Promise<number> {
  const rows = await db.query(
    `DELETE FROM state WHERE key IN (
       SELECT key FROM state WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2) AND expires_at <= $1
     RETURNING 1`,
    [now, SLICE],
  );
  return rows.length;
}

interface Slice {
  readonly dropped: number;
  /** `seq` after which the next piece starts. `undefined`: the prune is done. */
  readonly next: number | undefined;
}

/**
 * Prunes one piece. Arrival times rise with `seq`, except after a clock was set back, so the first piece without old
 * entries is the last one.
 */
async function dropSlice(
  db: PostgresDatabase,
  before: number,
  after: number,
  writer: string,
): Promise<Slice> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<{ seq: number; arrived_at: number; open: boolean }>(
      `SELECT j.seq, j.arrived_at, ${IS_OPEN} AS open FROM journal AS j WHERE j.seq > $1 ORDER BY j.seq LIMIT $2`,
      [after, SLICE],
    );
    const old = rows.filter((row) => row.arrived_at < before);
    const gone = old.filter(({ open }) => !open).map(({ seq }) => seq);
    await dropEntries(tx, gone, writer);
    const last = rows.at(-1);
    const more = last !== undefined && rows.length === SLICE && old.length > 0;
    return { dropped: gone.length, next: more ? last.seq : undefined };
  });
}

/**
 * Deletes entries with their decisions, runs and items.
 *
 * @returns The number of deleted items.
 */
export async function dropEntries(
  tx: Statements,
  seqs: readonly number[],
  writer: string,
): Promise<number> {
  if (seqs.length === 0) return 0;
  const items = await tx.query<{ status: ItemStatus; reason: string | null }>(
    `WITH gone AS (DELETE FROM items WHERE seq = ANY ($1::bigint[]) RETURNING id, status, reason),
       opened AS (DELETE FROM open_items AS o USING items AS i
         WHERE i.seq = ANY ($1::bigint[]) AND o.id = i.id RETURNING o.id, o.status),
       given_up AS (DELETE FROM given_up AS u USING items AS i WHERE i.seq = ANY ($1::bigint[]) AND u.id = i.id),
       ran AS (DELETE FROM runs WHERE seq = ANY ($1::bigint[])),
       decided AS (DELETE FROM decisions WHERE seq = ANY ($1::bigint[])),
       entries AS (DELETE FROM journal WHERE seq = ANY ($1::bigint[]))
     SELECT coalesce(opened.status, gone.status) AS status, gone.reason FROM gone LEFT JOIN opened USING (id)`,
    [seqs],
  );
  const params = new StatementValues();
  const deltas: Record<`item.${string}` | "journal", number> = { journal: -seqs.length };
  for (const item of items) {
    const name = `item.${countedAs(item)}` as const;
    deltas[name] = (deltas[name] ?? 0) - 1;
  }
  await tx.query(countChanges(params, writer, deltas), params.values);
  return items.length;
}

/**
 * Merges the counters of processes without a registered worker into one row per name, so that rows don't accumulate.
 */
async function sumUp(db: PostgresDatabase): Promise<void> {
  await db.query(
    `WITH gone AS (
       DELETE FROM counts AS c USING (
         SELECT writer, name FROM counts WHERE writer <> '' AND writer NOT IN (
           SELECT substr(worker, strpos(worker, '@') + 1) || part FROM workers, unnest(ARRAY['/in', '/work', '/upkeep']) AS part)
         ORDER BY writer, name FOR UPDATE SKIP LOCKED) AS g
       WHERE c.writer = g.writer AND c.name = g.name RETURNING c.name, c.n)
     INSERT INTO counts (writer, name, n) SELECT '', name, sum(n) FROM gone GROUP BY name ORDER BY name
     ON CONFLICT (writer, name) DO UPDATE SET n = counts.n + excluded.n`,
  );
}

/** SQL condition that the entry `j` is open: it has a waiting input, an open item or an open run. */
export const IS_OPEN = `(EXISTS (SELECT 1 FROM inputs AS i WHERE i.partition = j.partition AND i.seq = j.seq)
  OR EXISTS (SELECT 1 FROM items AS m JOIN open_items AS o ON o.id = m.id WHERE m.seq = j.seq)
  OR EXISTS (SELECT 1 FROM runs AS r WHERE r.seq = j.seq AND r.status IN ('ready', 'waiting')))`;

/** Number of rows that one piece of a prune processes. Small enough that an append is not noticeably delayed. */
const SLICE = 500;
