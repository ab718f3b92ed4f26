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

type Sortable = string | number | boolean | null;

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
  const sorted = sort(source, request.sort_by);
  const hash = listHash(call, request.sort_by);
  const wanted = (row: Row): boolean =>
    (request.with_deleted || !row.deleted) && (ids === undefined || ids.has(row.id));
  const start = startAfter(sorted, request.cursor, hash);
  if (start === undefined) {
    const value = request.cursor ?? "";
    const message = `Expected a next_cursor of this list, got "${value}" for cursor`;
    const error = { code: "INVALID_PARAMETER", message, parameter: "cursor", value };
    throw adsError(400, [error], params.sent);
  }
  const rest = sorted.slice(start).filter(wanted);
  const page = rest.slice(0, request.count);
  const last = rest.length > page.length ? page.at(-1) : undefined;
  return {
    headers,
    body: {
      request: { params: params.typed },
      next_cursor: last === undefined ? null : cursorAfter(last, hash),
      data: page.map(source.render),
      ...(request.with_total_count ? { total_count: sorted.filter(wanted).length } : {}),
    },
  };
}

/** Counts a request with `with_total_count` against its own limit. @throws {ApiError} 429 when the limit is used up. */
function countTotalCount({ sandbox, caller }: RouteCall): Record<string, string> {
  const who = { user: userOf(caller).id };
  const { limits, settings } = sandbox;
  return limits.count("ads with_total_count", TOTAL_COUNT_LIMITS, who, settings.limits);
}

/** Returns a sorted copy; equal rows keep the order of creation in both directions. */
function sort<Row extends ListedRow>(source: ListSource<Row>, order: string | undefined): Row[] {
  const [, name, direction] = /^(.+)-(asc|desc)$/.exec(order ?? "") ?? [];
  if (name === undefined) return [...source.rows];
  const sign = direction === "desc" ? -1 : 1;
  return source.rows.toSorted(
    (a, b) => sign * compare(source.attribute(a, name), source.attribute(b, name)),
  );
}

/** Compares two attributes for sorting. Missing values come first. */
function compare(a: Sortable, b: Sortable): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Returns a hash that binds a cursor to its list and order, so that a cursor of another list is refused. */
function listHash({ path }: RouteCall, order = ""): string {
  return contentHash(`${path} ${order}`).slice(0, 6);
}

function cursorAfter(row: ListedRow, hash: string): string {
  return `c-${Buffer.from(`${hash}${row.id}`).toString("base64url")}`;
}

/** Returns the index at which the page of `cursor` starts, among all rows including deleted ones. */
function startAfter(
  sorted: readonly ListedRow[],
  cursor: string | undefined,
  hash: string,
): number | undefined {
  if (cursor === undefined) return 0;
  const decoded = Buffer.from(cursor.slice("c-".length), "base64url").toString("utf8");
  if (!decoded.startsWith(hash)) return undefined;
  const at = sorted.findIndex((row) => row.id === decoded.slice(hash.length));
  return at === -1 ? undefined : at + 1;
}
