import { listed } from "../../tables/columns.ts";
import {
  DECIDED,
  type DecidedRow,
  type EntryRow,
  type RunRow,
  toDecided,
  toEntry,
  toRun,
} from "../../tables/rows.ts";
import {
  countedStats,
  type JournalQuery,
  type JournalRow,
  type ListedRun,
  type StoreStats,
} from "../../listings.ts";
import type { Statements } from "../database.ts";
import { StatementValues } from "../params.ts";
import { ENTRY, RUN } from "./columns.ts";

interface Recorded extends EntryRow, DecidedRow {
  readonly partition: number;
  readonly open_attempts: number | null;
  readonly runs: readonly (RunRow & { readonly due_at: number | null })[] | null;
}

/** Entries of the journal, and the position at which the next query continues the search. */
export interface JournalListing {
  readonly rows: readonly JournalRow[];
  /** `seq` below which the search continues. `undefined`: the page is full, or the search reached the end. */
  readonly next: number | undefined;
}

/** Lists entries of the journal with their decisions, newest first. */
export async function journalPage(db: Statements, query: JournalQuery): Promise<JournalListing> {
  const { seq, key, lane, account, before, bare = false, limit } = query;
  const isSharp = seq !== undefined || key !== undefined;
  const isStretch = !isSharp && (lane !== undefined || account !== undefined);
  const end = before ?? (isStretch ? await beyond(db) : undefined);
  const start = isStretch && end !== undefined ? end - STRETCH : undefined;
  const params = new StatementValues();
  const where = [
    ...(seq === undefined ? [] : [`j.seq = ${params.add(seq, "bigint")}`]),
    ...(key === undefined ? [] : [`j.key = ${params.add(key, "text")}`]),
    ...(lane === undefined ? [] : [`j.lane = ${params.add(lane, "text")}`]),
    ...(account === undefined ? [] : [`j.account = ${params.add(account, "text")}`]),
    ...(end === undefined ? [] : [`j.seq < ${params.add(end, "bigint")}`]),
    ...(start === undefined ? [] : [`j.seq >= ${params.add(start, "bigint")}`]),
  ];
  const clause = where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`;
  const rows = await db.query<Recorded>(
    `WITH j AS MATERIALIZED (
       SELECT ${ENTRY}, j.partition FROM journal AS j ${clause}
       ORDER BY j.seq DESC LIMIT ${params.add(limit, "int")})
     ${bare ? BARE : RECORDED} ORDER BY j.seq DESC`,
    params.values,
  );
  const more = start !== undefined && rows.length < limit && (await isBelow(db, start));
  return { rows: rows.map((row) => toRow(row)), next: more ? start : undefined };
}

/** Returns a number above the `seq` of all entries. */
async function beyond(db: Statements): Promise<number> {
  const [row] = await db.query<{ seq: number | null }>("SELECT max(seq) AS seq FROM journal");
  return (row?.seq ?? 0) + 1;
}

async function isBelow(db: Statements, seq: number): Promise<boolean> {
  const [row] = await db.query<{ seq: number | null }>("SELECT min(seq) AS seq FROM journal");
  return row?.seq != null && row.seq < seq;
}

function toRow(row: Recorded): JournalRow {
  return {
    ...toEntry(row, row.partition),
    ...toDecided(row, row.open_attempts),
    runs: (row.runs ?? []).map(toListed),
  };
}

function toListed({
  due_at: dueAt,
  ...row
}: RunRow & { readonly due_at: number | null }): ListedRun {
  const { version, partition, ...run } = toRun(row, 0);
  return { ...run, ...(dueAt !== null && { waitsUntil: dueAt }) };
}

/** Returns the store's statistics; see {@link Store.stats}. */
export async function stats(db: Statements): Promise<StoreStats> {
  const [row] = await db.query<{
    counts: Readonly<Record<string, number>> | null;
    escalations: Readonly<Record<string, number>> | null;
    paused: number;
    oldest: number | null;
  }>(STATS);
  const n = (name: string): number => row?.counts?.[name] ?? 0;
  return {
    ...countedStats(n),
    paused: row?.paused ?? 0,
    escalations: row?.escalations ?? {},
    ...(row?.oldest != null && { oldestArrivedAt: row.oldest }),
  };
}

const STATS = `
  SELECT
    (SELECT json_object_agg(name, n) FROM (SELECT name, sum(n) AS n FROM counts GROUP BY name) AS c) AS counts,
    (SELECT json_object_agg(queue, n) FROM (
       SELECT queue, count(*) AS n FROM escalations WHERE resolved_at IS NULL GROUP BY queue) AS e) AS escalations,
    (CASE WHEN EXISTS (SELECT 1 FROM pauses) THEN (
       SELECT count(*) FROM inputs AS i WHERE EXISTS (
         SELECT 1 FROM pauses AS p WHERE p.account IN ('', split_part(i.lane, '/', 1))))
     ELSE 0 END) AS paused,
    (SELECT j.arrived_at FROM journal AS j WHERE j.seq = (
       SELECT min(f.seq) FROM leases AS p CROSS JOIN LATERAL (
         SELECT i.seq FROM inputs AS i WHERE i.partition = p.partition AND i.item IS NULL
         ORDER BY i.seq LIMIT 1) AS f)) AS oldest`;

const RECORDED = `
  SELECT j.*, i.attempts AS open_attempts, ${listed(DECIDED, "d")}, (
    SELECT json_agg(t ORDER BY t.ordinal) FROM (
      SELECT ${RUN}, t.due_at FROM runs AS r LEFT JOIN timers AS t ON t.id = r.waits_for
      WHERE r.seq = j.seq) AS t) AS runs
  FROM j LEFT JOIN inputs AS i ON i.partition = j.partition AND i.seq = j.seq LEFT JOIN decisions AS d ON d.seq = j.seq`;

const BARE = `
  SELECT j.*, NULL AS open_attempts, ${DECIDED.names.map((name) => `NULL AS ${name}`).join(", ")}, NULL AS runs
  FROM j`;

/** Number of `seq` values that a search for a lane or account scans. An index by lane would slow down every append. */
const STRETCH = 20_000;
