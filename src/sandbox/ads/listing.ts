import * as z from "zod";
import { contentHash } from "../../system/content-hash.ts";
import { ADS_COUNT } from "../../protocol/limits.ts";
import { userOf } from "../auth/caller.ts";
import type { RouteResponse, RouteCall } from "../server/route.ts";
import { flag, text, whole } from "./query.ts";
import { adsError } from "./ads-error.ts";

/** Limit of requests with `with_total_count` for each user, per 15 minutes. */
const TOTAL_COUNT_LIMITS = { user: 200 };

/** Parameters that every list takes; `attributes` are the names allowed in `sort_by`. */
export function pagingQuery(attributes: readonly string[]) {
  const orders = new Set(attributes.flatMap((name) => [`${name}-asc`, `${name}-desc`]));
  return {
    count: whole(ADS_COUNT.min, ADS_COUNT.max).default(ADS_COUNT.default),
    cursor: text.optional(),
    sort_by: z
      .string()
      .refine((sortBy) => orders.has(sortBy), {
        error: `<attribute>-asc or <attribute>-desc with an attribute of ${attributes.join(", ")}`,
      })
      .optional(),
    with_deleted: flag.default(false),
    with_total_count: flag.default(false),
  };
}

/** Refuses a list request with both `with_total_count` and `cursor`: only the first page may request the count. */
export function refuseCountWithCursor({
  value,
  issues,
}: z.core.ParsePayload<{ cursor?: string | undefined; with_total_count: boolean }>): void {
  if (!value.with_total_count || value.cursor === undefined) return;
  issues.push({
    code: "custom",
    path: ["with_total_count"],
    input: value,
    message: "with_total_count and cursor exclude each other",
    params: { code: "EXCLUSIVE_PARAMETERS" },
  });
}

interface ListedRow {
  readonly id: string;
  readonly deleted: boolean;
}

const sortable = z.union([z.string(), z.number(), z.boolean(), z.null()]);
type Sortable = z.infer<typeof sortable>;

/** Position in a list: the sort value and the id of a page's last row. */
const position = z.tuple([sortable, z.string()]);

/** Rows of a list, with functions that read them. */
export interface ListSource<Row extends ListedRow> {
  /** All rows of the account, deleted rows included, in the order of creation. */
  readonly rows: readonly Row[];
  /** Returns the value of a row's attribute, by which `sort_by` sorts. */
  readonly attribute: (row: Row, name: string) => Sortable;
  readonly render: (row: Row) => Record<string, unknown>;
}

export interface ListRequest {
  readonly ids: readonly string[] | undefined;
  readonly count: number;
  readonly cursor?: string | undefined;
  readonly sort_by?: string | undefined;
  readonly with_deleted: boolean;
  readonly with_total_count: boolean;
}

/**
 * Returns one page of a list.
 *
 * @param params Parameters of the request: `typed` as JSON values for the response, `sent` as text for errors.
 * @throws {ApiError} 400 if the cursor belongs to another list.
 */
export function listPage<Row extends ListedRow>(
  call: RouteCall,
  request: ListRequest,
  params: { readonly sent: Readonly<Record<string, string>>; readonly typed: object },
  source: ListSource<Row>,
): RouteResponse {
  const headers = request.with_total_count ? countTotalCount(call) : {};
  const ids = request.ids === undefined ? undefined : new Set(request.ids);
  const order = orderOf(source, request.sort_by);
  const sorted = source.rows.toSorted((a, b) => order.compare(order.valueOf(a), order.valueOf(b)));
  const list = `${call.path} ${request.sort_by ?? ""}`;
  const isAfter = afterCursor(source.rows, order, request.cursor, list);
  if (isAfter === undefined) {
    const value = request.cursor ?? "";
    const message = `Expected a next_cursor of this list, got "${value}" for cursor`;
    const error = { code: "INVALID_PARAMETER", message, parameter: "cursor", value };
    throw adsError(400, [error], params.sent);
  }
  const matching = sorted.filter(
    (row) => (request.with_deleted || !row.deleted) && (ids === undefined || ids.has(row.id)),
  );
  const rest = matching.filter(isAfter);
  const page = rest.slice(0, request.count);
  const last = rest.length > page.length ? page.at(-1) : undefined;
  const next = last && encodeCursor(JSON.stringify([order.valueOf(last), last.id]), list);
  return {
    headers,
    body: {
      request: { params: params.typed },
      next_cursor: next ?? null,
      data: page.map(source.render),
      ...(request.with_total_count ? { total_count: matching.length } : {}),
    },
  };
}

/** Counts a request with `with_total_count` against its own limit. @throws {ApiError} 429 when the limit is used up. */
function countTotalCount({ sandbox, caller }: RouteCall): Record<string, string> {
  const who = { user: userOf(caller).id };
  const { limits, settings } = sandbox;
  return limits.count("ads with_total_count", TOTAL_COUNT_LIMITS, who, settings.limits);
}

/** Order of a list. Rows whose values are equal keep the order of creation in both directions. */
interface ListOrder<Row> {
  readonly valueOf: (row: Row) => Sortable;
  readonly compare: (a: Sortable, b: Sortable) => number;
}

function orderOf<Row extends ListedRow>(
  source: ListSource<Row>,
  order: string | undefined,
): ListOrder<Row> {
  const [, name, direction] = /^(.+)-(asc|desc)$/.exec(order ?? "") ?? [];
  if (name === undefined) return { valueOf: () => null, compare };
  return {
    valueOf: (row) => source.attribute(row, name),
    compare: direction === "desc" ? (a, b) => compare(b, a) : compare,
  };
}

/** Compares two attributes for sorting. Missing values come first. */
function compare(a: Sortable, b: Sortable): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Number of characters of the hash in a cursor. */
const HASH_LENGTH = 6;

/** Encodes a position, with a hash that shows a changed cursor and one of another list or order. */
function encodeCursor(text: string, list: string): string {
  const hash = contentHash(`${list} ${text}`).slice(0, HASH_LENGTH);
  return `c-${Buffer.from(hash + text).toString("base64url")}`;
}

/**
 * Returns whether a row comes after the cursor, by the sort value that the cursor's row had when its page was sent: the
 * row may have moved since. Undefined for a cursor that is not one of this list.
 */
function afterCursor<Row extends ListedRow>(
  rows: readonly Row[],
  order: ListOrder<Row>,
  cursor: string | undefined,
  list: string,
): ((row: Row) => boolean) | undefined {
  if (cursor === undefined) return () => true;
  const text = Buffer.from(cursor.slice("c-".length), "base64url").toString().slice(HASH_LENGTH);
  if (cursor !== encodeCursor(text, list)) return undefined;
  const [value, id] = position.parse(JSON.parse(text));
  const at = rows.findIndex((row) => row.id === id);
  if (at === -1) return undefined;
  const laterRows = new Set(rows.slice(at + 1));
  return (row) => {
    const difference = order.compare(order.valueOf(row), value);
    return difference === 0 ? laterRows.has(row) : difference > 0;
  };
}
