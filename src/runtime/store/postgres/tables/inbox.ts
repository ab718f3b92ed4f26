import {
  type EntryRow,
  type EscalationRow,
  type ItemRow,
  type RunRow,
  toEntry,
  toItem,
  toRun,
} from "../../tables/rows.ts";
import { listed, recordOf, type RowOf } from "../../tables/columns.ts";
import { TIMERS } from "../../tables/tables.ts";
import type { Silence } from "../../escalation.ts";
import type { RunAndEntry } from "../../run.ts";
import type { LaneInput } from "../../transition.ts";
import type { Statements } from "../database.ts";
import type { LeaseEpoch } from "../leases.ts";
import { StatementValues } from "../params.ts";
import { ENTRY, ITEM, isNotPaused, leased, RUN, runOf } from "./columns.ts";

interface Partitioned {
  readonly partition: number;
}

interface FrontRow extends Partitioned {
  readonly seq: number;
  readonly lane: string;
  readonly attempts: number;
  readonly item: number | null;
  readonly entry: (EntryRow & Partitioned) | null;
  readonly listeners: readonly { readonly run: RunRow; readonly entry: EntryRow }[] | null;
  readonly silences: readonly SilenceRow[] | null;
}

/** Columns of an escalation that describe its silence. */
export type SilenceRow = Pick<EscalationRow, "id" | "run" | "silent_until">;

/** Parameters of {@link fetchInputs}. */
export interface FetchQuery {
  readonly leases: readonly LeaseEpoch[];
  readonly now: number;
  readonly limit: number;
  /** Lanes to skip, because the caller has not finished earlier inputs of these lanes. */
  readonly busy: readonly string[];
}

/** Returns the number of a lane's partition. */
export type PartitionOf = (lane: string) => number;

/** Fetches due inputs; see {@link Store.fetch}. */
export async function fetchInputs(
  db: Statements,
  query: FetchQuery,
  partitionOf: PartitionOf,
): Promise<readonly LaneInput[]> {
  if (query.leases.length === 0) return [];
  const [front, timers] = await Promise.all([frontOf(db, query), timersOf(db, query, partitionOf)]);
  const settled = await settledOf(db, front, partitionOf);
  const inputs = front.flatMap((row) => inputOf(row, settled, partitionOf));
  // Timers come after other inputs of their lane: an event that arrived before a deadline is processed first.
  const behind = timers.filter(({ lane }) => inputs.some((input) => input.lane === lane));
  const ahead = timers.filter((timer) => !behind.includes(timer));
  return [...ahead, ...inputs, ...behind].slice(0, query.limit);
}

function inputOf(
  row: FrontRow,
  settled: ReadonlyMap<number, { readonly item: ItemRow } & RunAndEntry>,
  partitionOf: PartitionOf,
): readonly LaneInput[] {
  const { lane, partition, attempts, entry } = row;
  const place = {
    input: `inbox/${row.seq}`,
    lane,
    partition,
    attempts,
    ...silencesOf(row.silences),
  };
  if (entry !== null) {
    const listeners = (row.listeners ?? []).map((pair) => pairOf(pair, partitionOf));
    return [{ ...place, kind: "event", entry: toEntry(entry, partition), listeners }];
  }
  const settlement = row.item === null ? undefined : settled.get(row.item);
  if (settlement === undefined) return [];
  const { item, run, entry: started } = settlement;
  return [{ ...place, kind: "item-settled", item: toItem(item, partition), run, entry: started }];
}

/** Selects the oldest inputs of each partition. Skips busy lanes, paused accounts and lanes that wait for a retry. */
async function frontOf(db: Statements, query: FetchQuery): Promise<readonly FrontRow[]> {
  const { leases, now, limit, busy } = query;
  const params = new StatementValues();
  const held = leased(params, leases);
  const busyLanes = params.add(busy, "text[]");
  const each = params.add(
    Math.min(limit, Math.max(64, Math.ceil((4 * limit) / leases.length))),
    "int",
  );
  const asOf = params.add(now, "bigint");
  const rows = await db.query<FrontRow>(
    `WITH waiting AS MATERIALIZED (
       SELECT EXISTS (SELECT 1 FROM inputs WHERE retry_at IS NOT NULL) AS is_so),
     front AS MATERIALIZED (
       SELECT f.* FROM ${held} CROSS JOIN LATERAL (
         SELECT i.partition, i.seq, i.lane, i.attempts, i.item FROM inputs AS i
         WHERE i.partition = h.partition AND NOT i.aside AND i.lane <> ALL (${busyLanes})
           AND (NOT (SELECT is_so FROM waiting)
             OR NOT EXISTS (SELECT 1 FROM inputs AS r WHERE r.lane = i.lane AND r.retry_at > ${asOf}))
           AND ${isNotPaused("i")}
         ORDER BY i.seq LIMIT ${each}) AS f),
     chosen AS (
       SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY lane ORDER BY seq) AS place FROM front) AS n
       WHERE place <= ${params.add(LANE_SHARE, "int")} ORDER BY seq LIMIT ${params.add(limit, "int")})
     SELECT c.partition, c.seq, c.lane, c.attempts, c.item, e.entry, l.listeners, s.silences
     FROM chosen AS c
     LEFT JOIN LATERAL (SELECT row_to_json(t) AS entry FROM (SELECT ${ENTRY} FROM journal AS j WHERE j.seq = c.seq) AS t) AS e ON true
     LEFT JOIN LATERAL (
       SELECT json_agg(json_build_object('run', row_to_json(r), 'entry', (
           SELECT row_to_json(t) FROM (SELECT ${ENTRY} FROM journal AS j WHERE j.seq = r.seq) AS t))
         ORDER BY r.ordinal DESC) AS listeners
       FROM (SELECT ${RUN} FROM runs AS r WHERE r.listens = 1 AND r.lane = c.lane AND c.item IS NULL) AS r) AS l ON true
     LEFT JOIN LATERAL (
       SELECT json_agg(t ORDER BY t.id) AS silences FROM (
         SELECT id, run, silent_until FROM escalations
         WHERE silences AND silent_in IN (c.lane, split_part(c.lane, '/', 1))) AS t) AS s ON true
     ORDER BY c.seq`,
    params.values,
  );
  return rows;
}

/** Selects settled or held items with the runs that wait for them. */
async function settledOf(
  db: Statements,
  front: readonly FrontRow[],
  partitionOf: PartitionOf,
): Promise<ReadonlyMap<number, { readonly item: ItemRow } & RunAndEntry>> {
  const ids = front.flatMap(({ item }) => item ?? []);
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ item: ItemRow; run: RunRow; entry: EntryRow }>(
    `SELECT row_to_json(i) AS item, row_to_json(r) AS run, row_to_json(j) AS entry
     FROM (SELECT ${ITEM} FROM items AS i LEFT JOIN open_items AS o ON o.id = i.id
           WHERE i.id = ANY ($1::bigint[])) AS i
     JOIN runs AS r ON ${runOf("i")} JOIN journal AS j ON j.seq = i.seq`,
    [ids],
  );
  return new Map(
    rows.map(({ item, ...pair }) => [item.id, { item, ...pairOf(pair, partitionOf) }]),
  );
}

interface TimerRow extends RowOf<typeof TIMERS.postgres> {
  readonly of: RunRow;
  readonly entry: EntryRow;
  readonly silences: readonly SilenceRow[] | null;
}

async function timersOf(
  db: Statements,
  { leases, now, limit, busy }: FetchQuery,
  partitionOf: PartitionOf,
): Promise<readonly LaneInput[]> {
  const params = new StatementValues();
  const held = leased(params, leases);
  const rows = await db.query<TimerRow>(
    `WITH due AS MATERIALIZED (
       SELECT t.* FROM ${held} JOIN timers AS t ON t.partition = h.partition
       WHERE t.due_at <= ${params.add(now, "bigint")} AND t.lane <> ALL (${params.add(busy, "text[]")})
         AND ${isNotPaused("t")}
       ORDER BY t.due_at, t.id LIMIT ${params.add(limit, "int")})
     SELECT ${listed(TIMERS.postgres, "t")}, row_to_json(r) AS "of", row_to_json(j) AS entry, s.silences
     FROM due AS t
     JOIN runs AS r ON r.seq = split_part(t.run, '/', 1)::bigint AND r.owner = substr(t.run, strpos(t.run, '/') + 1)
     JOIN journal AS j ON j.seq = r.seq
     LEFT JOIN LATERAL (
       SELECT json_agg(n ORDER BY n.id) AS silences FROM (
         SELECT id, run, silent_until FROM escalations
         WHERE silences AND silent_in IN (t.lane, split_part(t.lane, '/', 1))) AS n) AS s ON true
     ORDER BY t.due_at, t.id`,
    params.values,
  );
  return rows.map((row) => {
    const { id, lane, partition } = row;
    const timer = recordOf(TIMERS, row);
    const pair = pairOf({ run: row.of, entry: row.entry }, partitionOf);
    const place = { input: `timer/${id}`, lane, partition, attempts: 0 };
    return { ...place, ...silencesOf(row.silences), kind: "timer-due", timer, ...pair };
  });
}

/** Converts the rows of a run and of the entry that started it to records. */
export function pairOf(
  { run, entry }: { readonly run: RunRow; readonly entry: EntryRow },
  partitionOf: PartitionOf,
): RunAndEntry {
  return {
    run: toRun(run, partitionOf(run.lane)),
    entry: toEntry(entry, partitionOf(entry.lane)),
  };
}

/** Returns the property `silences` of an input, or no property if there are no silences. */
function silencesOf(rows: readonly SilenceRow[] | null): { silences?: readonly Silence[] } {
  return rows === null ? {} : { silences: rows.map(toSilence) };
}

export function toSilence({ id, run, silent_until: until }: SilenceRow): Silence {
  return { id, run, ...(until !== null && { until }) };
}

/** Maximum number of inputs of one lane in a fetch, so that inputs of other lanes fit in, too. */
const LANE_SHARE = 32;
