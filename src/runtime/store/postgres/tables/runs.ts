import { type EntryRow, type RunRow, toRun } from "../../tables/rows.ts";
import { listed, recordOf, type RowOf } from "../../tables/columns.ts";
import { RULE_SOURCES } from "../../tables/tables.ts";
import type { OpenRunQuery } from "../../listings.ts";
import type { OpenRun, RuleSource, RunAndEntry, StoredRun } from "../../run.ts";
import type { Statements } from "../database.ts";
import type { LeaseEpoch } from "../leases.ts";
import { StatementValues } from "../params.ts";
import { ENTRY, leased, RUN } from "./columns.ts";
import { pairOf, type PartitionOf } from "./inbox.ts";

interface PairRow {
  readonly run: RunRow;
  readonly entry: EntryRow;
}

const PAIR = `row_to_json(r) AS run, (SELECT row_to_json(t) FROM (SELECT ${ENTRY} FROM journal AS j WHERE j.seq = r.seq) AS t) AS entry`;

/** Lists unfinished runs, in the order in which they were started. */
export async function openRuns(
  db: Statements,
  leases: readonly LeaseEpoch[],
  { status, owner, whose, after, limit }: OpenRunQuery,
  partitionOf: PartitionOf,
): Promise<readonly OpenRun[]> {
  if (leases.length === 0) return [];
  const params = new StatementValues();
  const held = leased(params, leases);
  // A `#` is added to both the prefix and the owner, so that `rule:a` does not match `rule:ab`.
  const of =
    whose === undefined ? [] : [`starts_with(r.owner || '#', ${params.add(`${whose}#`, "text")})`];
  const where = [
    // The status is a literal instead of a parameter, so that the planner can use its partial index.
    status === "ready" ? "r.status = 'ready'" : "r.status = 'waiting'",
    `r.ordinal > ${params.add(after, "bigint")}`,
    ...(owner === undefined ? [] : [`r.owner = ${params.add(owner, "text")}`]),
    ...of,
  ];
  const most = params.add(limit, "int");
  const rows = await db.query<PairRow>(
    `SELECT ${PAIR} FROM (
       SELECT f.* FROM ${held} CROSS JOIN LATERAL (
         SELECT ${RUN} FROM runs AS r WHERE r.partition = h.partition AND ${where.join(" AND ")}
         ORDER BY r.ordinal LIMIT ${most}) AS f
       ORDER BY f.ordinal LIMIT ${most}) AS r ORDER BY r.ordinal`,
    params.values,
  );
  return rows.flatMap((row) =>
    row.entry === null ? [] : [{ ...pairOf(row, partitionOf), ordinal: row.run.ordinal }],
  );
}

/** Selects the runs that listen for a lane's next event, newest first. */
export async function listeners(
  db: Statements,
  lane: string,
  partitionOf: PartitionOf,
): Promise<readonly RunAndEntry[]> {
  const rows = await db.query<PairRow>(
    `SELECT ${PAIR} FROM (SELECT ${RUN} FROM runs AS r WHERE r.listens = 1 AND r.lane = $1) AS r
     ORDER BY r.ordinal DESC`,
    [lane],
  );
  return rows.map((row) => pairOf(row, partitionOf));
}

/** Selects the runs that hold slots or queue for them, by slot, in the order in which they were started. */
export async function slots(
  db: Statements,
  names: readonly string[],
  partitionOf: PartitionOf,
): Promise<ReadonlyMap<string, readonly StoredRun[]>> {
  const bySlot = new Map<string, StoredRun[]>();
  const rows = await db.query<RunRow>(
    `SELECT ${RUN} FROM runs AS r WHERE r.slot IS NOT NULL AND r.status IN ('ready', 'waiting')
       AND r.slot = ANY ($1::text[]) ORDER BY r.ordinal`,
    [names],
  );
  for (const row of rows) {
    const slot = row.slot ?? "";
    bySlot.set(slot, [...(bySlot.get(slot) ?? []), toRun(row, partitionOf(row.lane))]);
  }
  return bySlot;
}

/** Selects the open runs that an entry started, in the order in which they were started. */
export async function runsOf(
  db: Statements,
  seq: number,
  partitionOf: PartitionOf,
): Promise<readonly StoredRun[]> {
  const rows = await db.query<RunRow>(
    `SELECT ${RUN} FROM runs AS r WHERE r.seq = $1 AND r.status IN ('ready', 'waiting') ORDER BY r.ordinal`,
    [seq],
  );
  return rows.map((row) => toRun(row, partitionOf(row.lane)));
}

/** Returns the source text of a rule revision that an open run executes. */
export async function ruleSource(
  db: Statements,
  revision: string,
): Promise<RuleSource | undefined> {
  const [row] = await db.query<RowOf<typeof RULE_SOURCES>>(
    `SELECT ${listed(RULE_SOURCES)} FROM rule_sources WHERE revision = $1`,
    [revision],
  );
  return row && recordOf(RULE_SOURCES, row);
}
