import { createHash } from "node:crypto";
import * as z from "zod";
import { ADS_COUNT } from "../../interface/limits.ts";
import { userOf } from "../auth/caller.ts";
import type { Answer, Call } from "../kernel/route.ts";
import { flag, text, whole } from "./query.ts";
import { adsRefusal } from "./refusal.ts";

/** Requests with `with_total_count` in 15 minutes. */
const TOTAL_COUNT_LIMITS = { user: 200 };

/** Parameters that every list takes; `attributes` are those `sort_by` may name. */
export function pagingQuery(attributes: readonly string[]) {
  const orders = new Set(attributes.flatMap((name) => [`${name}-asc`, `${name}-desc`]));
  return {
    count: whole(ADS_COUNT.min, ADS_COUNT.max).default(ADS_COUNT.default),
    cursor: text.optional(),
    sort_by: z
      .string()
      .refine((given) => orders.has(given), {
        error: `<attribute>-asc or <attribute>-desc with an attribute of ${attributes.join(", ")}`,
      })
      .optional(),
    with_deleted: flag.default(false),
    with_total_count: flag.default(false),
  };
}

/** Fails a list request that asks for a total count in the middle of its pages. */
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

interface Listed {
  readonly id: string;
  readonly deleted: boolean;
}

type Sortable = string | number | boolean | null;

/** What a list is made of. */
export interface ListSource<Row extends Listed> {
  /** Everything the account ever had of it, in the order of creation. */
  readonly rows: readonly Row[];
  /** How `sort_by` reads an attribute. */
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
 * One page of a list.
 *
 * @param asked.typed Parameters for `request.params`.
 * @throws {Refusal} 400 where the cursor is not one of this list.
 */
export function list<Row extends Listed>(
  call: Call,
  request: ListRequest,
  params: { readonly sent: Readonly<Record<string, string>>; readonly typed: object },
  source: ListSource<Row>,
): Answer {
  const headers = request.with_total_count ? spendTotalCount(call) : {};
  const ids = request.ids === undefined ? undefined : new Set(request.ids);
  const sorted = sort(source, request.sort_by);
  const mark = markOf(call, request.sort_by);
  const wanted = (row: Row): boolean =>
    (request.with_deleted || !row.deleted) && (ids === undefined || ids.has(row.id));
  const start = startAfter(sorted, request.cursor, mark);
  if (start === undefined) {
    const value = request.cursor ?? "";
    const message = `Expected a next_cursor of this list, got "${value}" for cursor`;
    const error = { code: "INVALID_PARAMETER", message, parameter: "cursor", value };
    throw adsRefusal(400, [error], params.sent);
  }
  const rest = sorted.slice(start).filter(wanted);
  const page = rest.slice(0, request.count);
  const last = rest.length > page.length ? page.at(-1) : undefined;
  return {
    headers,
    body: {
      request: { params: params.typed },
      next_cursor: last === undefined ? null : cursorAfter(last, mark),
      data: page.map(source.render),
      ...(request.with_total_count ? { total_count: sorted.filter(wanted).length } : {}),
    },
  };
}

/** @throws {Refusal} 429 when the smaller budget of such requests is used up. */
function spendTotalCount({ sandbox, caller }: Call): Record<string, string> {
  const who = { user: userOf(caller).id };
  const { limits, settings } = sandbox;
  return limits.take("ads with_total_count", TOTAL_COUNT_LIMITS, who, settings.limits);
}

/** A sorted copy; equal rows keep the order of creation in both directions. */
function sort<Row extends Listed>(source: ListSource<Row>, order: string | undefined): Row[] {
  const [, name, direction] = /^(.+)-(asc|desc)$/.exec(order ?? "") ?? [];
  if (name === undefined) return [...source.rows];
  const sign = direction === "desc" ? -1 : 1;
  return source.rows.toSorted(
    (a, b) => sign * compare(source.attribute(a, name), source.attribute(b, name)),
  );
}

/** What is not there stands before what is. */
function compare(a: Sortable, b: Sortable): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Ties a cursor to its list and order, so that one from elsewhere is noticed. */
function markOf({ path }: Call, order = ""): string {
  return createHash("sha256").update(`${path} ${order}`).digest("base64url").slice(0, 6);
}

function cursorAfter(row: Listed, mark: string): string {
  return `c-${Buffer.from(`${mark}${row.id}`).toString("base64url")}`;
}

/** Where the page of `cursor` starts among all rows; deleted ones still mark their place. */
function startAfter(
  sorted: readonly Listed[],
  cursor: string | undefined,
  mark: string,
): number | undefined {
  if (cursor === undefined) return 0;
  const told = Buffer.from(cursor.slice("c-".length), "base64url").toString("utf8");
  if (!told.startsWith(mark)) return undefined;
  const at = sorted.findIndex((row) => row.id === told.slice(mark.length));
  return at === -1 ? undefined : at + 1;
}
