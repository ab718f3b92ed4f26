import type { Presence } from "../../presence.ts";
import type { Statements } from "../database.ts";
import type { LeaseEpoch } from "../leases.ts";
import { StatementValues } from "../params.ts";
import { type PollResults, pollResultsSql } from "../poll-cache.ts";
import { leased } from "./columns.ts";

/** Parameters of {@link attend}. */
export interface Attendance {
  readonly process: string;
  readonly note: string;
  readonly ttlMs: number;
  /** Names under which the process holds leases. */
  readonly holders: readonly string[];
  /** Names of the values of `meta` that the process polls. */
  readonly metas: readonly string[];
  /** Channel that is notified; undefined: none. */
  readonly channel: string | undefined;
}

/** Registers a process as present; see {@link Store.attend}. Reads the results of the process's polls, too. */
export async function attend(
  db: Statements,
  { process, note, ttlMs, holders, metas, channel }: Attendance,
): Promise<{ readonly others: readonly Presence[]; readonly results: PollResults }> {
  const params = new StatementValues();
  const me = params.add(process, "text");
  const until = `clock_timestamp() + ${params.add(ttlMs, "int")} * interval '1 ms'`;
  const notified =
    channel === undefined
      ? ""
      : `, pg_notify(${params.add(channel, "text")}, '')::text AS notified`;
  const [row] = await db.query<{ others: readonly Presence[]; results: PollResults }>(
    `WITH gone AS (DELETE FROM presences WHERE until <= clock_timestamp() AND process <> ${me}),
     me AS (
       INSERT INTO presences (process, note, until) VALUES (${me}, ${params.add(note, "text")}, ${until})
       ON CONFLICT (process) DO UPDATE SET note = excluded.note, until = excluded.until)
     SELECT (SELECT coalesce(json_agg(p), '[]') FROM (
         SELECT process, note FROM presences WHERE process <> ${me} AND until > clock_timestamp()) AS p) AS others,
       ${pollResultsSql(params, holders, metas)} AS results${notified}`,
    params.values,
  );
  if (row === undefined) throw new Error("the database server returned no processes");
  return row;
}

/** Reads the results of a process's polls. */
export async function pollResults(
  db: Statements,
  { holders, metas }: Pick<Attendance, "holders" | "metas">,
): Promise<PollResults> {
  const params = new StatementValues();
  const [row] = await db.query<{ results: PollResults }>(
    `SELECT ${pollResultsSql(params, holders, metas)} AS results`,
    params.values,
  );
  if (row === undefined) throw new Error("the database server returned no poll results");
  return row.results;
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
