import {
  decodeCursor,
  encodeCursor,
  type PagedList,
  pageOf,
} from "../../../kernel/world/paging.ts";
import type { RouteCall } from "../../../server/route.ts";
import { badParameter } from "../coded-errors.ts";
import { LegacyParameters } from "../parameters.ts";

const COUNTS = { max: 50, fallback: 20 };

interface Page<Row> {
  readonly items: readonly Row[];
  /** Part of the response with the cursor of the next page. */
  readonly cursor: { readonly next_cursor?: string };
}

interface OwnedRows<Row> {
  descending(index: "owner", value: string, below?: string): Iterable<Row>;
  ascending(index: "owner", value: string, above: string): Iterable<Row>;
}

/** Returns a person's rows of a table as a list for {@link requestedPage}. */
export function rowsOf<Row extends { readonly id: string }>(
  table: OwnedRows<Row>,
  ownerId: string,
): PagedList<Row> {
  return {
    descending: (below) => table.descending("owner", ownerId, below),
    ascending: (above) => table.ascending("owner", ownerId, above),
    orderOf: ({ id }) => id,
    keep: () => true,
  };
}

/**
 * Returns the requested page of a list, newest first.
 *
 * Every page with items has the cursor of a next page, which may be empty, as in recorded responses of the live
 * service.
 *
 * @throws {ApiError} 400, code 44, for an invalid cursor.
 */
export function requestedPage<Row extends { readonly id: string }>(
  call: RouteCall,
  list: PagedList<Row>,
): Page<Row> {
  const params = new LegacyParameters(call);
  const token = params.text("cursor");
  const cursor = token === undefined ? undefined : decodeCursor(token);
  if (token !== undefined && cursor === undefined) throw badParameter("cursor");
  const { items } = pageOf(list, { size: params.count(COUNTS), cursor });
  const last = items.at(-1);
  if (last === undefined) return { items, cursor: {} };
  return { items, cursor: { next_cursor: encodeCursor({ direction: "older", id: last.id }) } };
}
