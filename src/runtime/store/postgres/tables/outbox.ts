import { type ItemRow, toItem } from "../../tables/rows.ts";
import { type CountedStatus, DROPPED_BY_OPERATOR, type Item } from "../../item.ts";
import type { ItemQuery, OpenItemQuery } from "../../listings.ts";
import type { Statements } from "../database.ts";
import type { LeaseEpoch } from "../leases.ts";
import { StatementValues } from "../params.ts";
import { isNotPaused, ITEM, leased } from "./columns.ts";

type Row = ItemRow & { readonly partition: number };

/** Selects the next item of each lane that may be sent; see {@link Store.dueItems}. */
export async function dueItems(
  db: Statements,
  leases: readonly LeaseEpoch[],
  now: number,
  limit: number,
): Promise<readonly Item[]> {
  if (leases.length === 0) return [];
  const params = new StatementValues();
  const held = leased(params, leases);
  const asOf = params.add(now, "bigint");
  const most = params.add(limit, "int");
  // An earlier `unknown` item blocks its lane until its `not_before`. An earlier pending or sending item keeps `ready` false.
  return list(
    db,
    `WITH doubt AS MATERIALIZED (
       SELECT EXISTS (SELECT 1 FROM open_items WHERE status = 'unknown') AS is_so),
     due AS MATERIALIZED (
       SELECT f.id, f.priority, f.since FROM ${held} CROSS JOIN LATERAL (
         SELECT d.id, d.priority, greatest(d.not_before, u.until) AS since
         FROM open_items AS d CROSS JOIN LATERAL (
           SELECT CASE WHEN (SELECT is_so FROM doubt) THEN (
             SELECT max(u.not_before) FROM open_items AS u
             WHERE u.lane = d.lane AND u.id < d.id AND u.status = 'unknown') END AS until) AS u
         WHERE d.partition = h.partition AND d.ready AND d.not_before <= ${asOf}
           AND (u.until IS NULL OR u.until <= ${asOf})
           AND ${isNotPaused("d")}
         ORDER BY d.priority, d.not_before, d.id LIMIT ${most}) AS f
       ORDER BY f.priority, f.since, f.id LIMIT ${most})
     SELECT ${ITEM} FROM due AS d JOIN items AS i ON i.id = d.id LEFT JOIN open_items AS o ON o.id = i.id
     ORDER BY d.priority, d.since, d.id`,
    params,
  );
}

/** Selects pending and held items that have expired, oldest first. */
export async function overdueItems(
  db: Statements,
  leases: readonly LeaseEpoch[],
  now: number,
  limit: number,
): Promise<readonly Item[]> {
  if (leases.length === 0) return [];
  const params = new StatementValues();
  const held = leased(params, leases);
  return list(
    db,
    `WITH over AS MATERIALIZED (
       SELECT x.id, x.expires_at FROM ${held} JOIN open_items AS x ON x.partition = h.partition
       WHERE x.status IN ('pending', 'held') AND x.expires_at <= ${params.add(now, "bigint")}
       ORDER BY x.expires_at, x.id LIMIT ${params.add(limit, "int")})
     SELECT ${ITEM} FROM over JOIN items AS i ON i.id = over.id LEFT JOIN open_items AS o ON o.id = i.id
     ORDER BY over.expires_at, over.id`,
    params,
  );
}

/** Selects open items with one status, in the order of queueing. */
export async function openItems(
  db: Statements,
  leases: readonly LeaseEpoch[],
  { status, after, limit }: OpenItemQuery,
): Promise<readonly Item[]> {
  if (leases.length === 0) return [];
  const params = new StatementValues();
  const held = leased(params, leases);
  // The status is a literal, so that the planner can use the index of held and unknown items. Items with other statuses are
  // read only when leases are acquired and when the clock was set back: a scan in the order of ids finds them.
  return list(
    db,
    `WITH open AS MATERIALIZED (
       SELECT x.id FROM open_items AS x
       WHERE x.partition = ANY (ARRAY(SELECT h.partition FROM ${held})) AND x.status = '${status}'
         AND x.id > ${params.add(after, "bigint")}
       ORDER BY x.id LIMIT ${params.add(limit, "int")})
     SELECT ${ITEM} FROM open JOIN items AS i ON i.id = open.id LEFT JOIN open_items AS o ON o.id = i.id
     ORDER BY i.id`,
    params,
  );
}

/** Lists items of the outbox, newest first. */
export async function listItems(db: Statements, query: ItemQuery): Promise<readonly Item[]> {
  const params = new StatementValues();
  const { status } = query;
  const where = [
    ...equal(params, "i.id", query.id, "="),
    ...equal(params, "i.seq", query.seq, "="),
    ...equal(params, "i.seq", query.seqFrom, ">="),
    ...equal(params, "i.seq", query.seqTo, "<="),
    ...equal(params, "i.id", query.before, "<"),
    ...(query.lane === undefined ? [] : [`i.lane = ${params.add(query.lane, "text")}`]),
    ...(query.account === undefined ? [] : [`i.account = ${params.add(query.account, "text")}`]),
    ...(status === undefined ? [] : [inState(status, params)]),
  ];
  return list(
    db,
    `SELECT ${ITEM} FROM items AS i LEFT JOIN open_items AS o ON o.id = i.id
     ${where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`}
     ORDER BY i.id DESC LIMIT ${params.add(query.limit, "int")}`,
    params,
  );
}

function equal(
  params: StatementValues,
  column: string,
  value: number | undefined,
  sign: string,
): readonly string[] {
  return value === undefined ? [] : [`${column} ${sign} ${params.add(value, "bigint")}`];
}

/**
 * Returns the SQL condition that finds items of a status fastest. Most items are sent, so a scan from the newest item
 * soon finds them. Items with other statuses are listed in the tables `given_up` and `open_items`.
 */
function inState(status: CountedStatus, params: StatementValues): string {
  const wanted = params.add(status === "dropped" ? "failed" : status, "text");
  if (status === "sent") return `i.status = ${wanted}`;
  if (status === "failed" || status === "dropped") {
    const isSame = status === "dropped" ? "=" : "IS DISTINCT FROM";
    const reason = params.add(DROPPED_BY_OPERATOR, "text");
    return `i.id IN (SELECT id FROM given_up WHERE status = ${wanted}) AND i.reason ${isSame} ${reason}`;
  }
  const table = status === "expired" ? "given_up" : "open_items";
  return `i.id IN (SELECT id FROM ${table} WHERE status = ${wanted})`;
}

async function list(
  db: Statements,
  sql: string,
  params: StatementValues,
): Promise<readonly Item[]> {
  const rows = await db.query<Row>(sql, params.values);
  return rows.map((row) => toItem(row, row.partition));
}
