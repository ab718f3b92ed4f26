import type { Presence } from "../../presence.ts";
import type { Statements } from "../database.ts";
import type { LeaseEpoch } from "../leases.ts";
import { StatementValues } from "../params.ts";
import { leased } from "./columns.ts";

/** Registers a process as present; see {@link Store.attend}. */
export async function attend(
  db: Statements,
  process: string,
  note: string,
  ttlMs: number,
): Promise<readonly Presence[]> {
  const rows = await db.query<Presence>(
    `WITH gone AS (DELETE FROM presences WHERE until <= clock_timestamp() AND process <> $1),
     me AS (
       INSERT INTO presences (process, note, until) VALUES ($1, $2, clock_timestamp() + $3 * interval '1 ms')
       ON CONFLICT (process) DO UPDATE SET note = excluded.note, until = excluded.until)
     SELECT process, note FROM presences WHERE process <> $1 AND until > clock_timestamp()
     UNION ALL SELECT $1, $2`,
    [process, note, ttlMs],
  );
  return rows.toSorted((a, b) => (a.process < b.process ? -1 : 1));
}

/** Removes a process from the registered processes. */
export async function leave(db: Statements, process: string): Promise<void> {
  await db.query("DELETE FROM presences WHERE process = $1", [process]);
}

/** Returns milliseconds since the epoch, by the server's clock. */
export async function clock(db: Statements): Promise<number> {
  const [row] = await db.query<{ now: number }>(
    "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now",
  );
  if (row === undefined) throw new Error("the database server returned no time");
  return row.now;
}

/** Returns the arrival time of the oldest undecided entry of each leased partition; see {@link Store.partitionLag}. */
export async function partitionLag(
  db: Statements,
  leases: readonly LeaseEpoch[],
): Promise<ReadonlyMap<number, number>> {
  if (leases.length === 0) return new Map();
  const params = new StatementValues();
  const held = leased(params, leases);
  const rows = await db.query<{ partition: number; arrived_at: number }>(
    `SELECT h.partition, (SELECT j.arrived_at FROM journal AS j WHERE j.seq = f.seq) AS arrived_at
     FROM ${held} CROSS JOIN LATERAL (
       SELECT i.seq FROM inputs AS i WHERE i.partition = h.partition AND i.item IS NULL AND NOT i.aside
         AND NOT EXISTS (SELECT 1 FROM pauses AS p WHERE p.account IN ('', split_part(i.lane, '/', 1)))
       ORDER BY i.seq LIMIT 1) AS f ORDER BY h.partition`,
    params.values,
  );
  return new Map(rows.map((row) => [row.partition, row.arrived_at]));
}
