import { wireInt } from "../../../rendering/events/wire.ts";
import { renderContext } from "../../../data-query/viewer.ts";
import type { Route, RouteCall, RouteResponse } from "../../../server/route.ts";
import { parseSearch, type SearchExpression } from "../../../search/parse.ts";
import { circleClause } from "../../../search/geography.ts";
import { runSearch } from "../../../search/run.ts";
import { readPointRadius } from "../../../../protocol/search-query/areas.ts";
import { SearchSyntaxError } from "../../../../protocol/search-query/tokens.ts";
import { LEGACY } from "../../ledger.ts";
import { boundsOf, LegacyParameters } from "../parameters.ts";
import { badParameter, coded } from "../coded-errors.ts";
import { inNewerOperators } from "./older-operators.ts";
import { renderStatus } from "../render-status.ts";
import { viewOf } from "../status-view.ts";
import { legacyBody } from "../respond.ts";

const COUNTS = { max: 100, fallback: 15 };
/** Maximum age of the posts that the search finds, in milliseconds. */
const WINDOW_MS = 7 * 24 * 60 * 60_000;

export const searchRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/1.1/search/tweets.json",
    ledger: LEGACY,
    auth: ["oauth1", "bearer"],
    limits: { app: 450, user: 180 },
    handle: searchStatuses,
  },
];

function searchStatuses(call: RouteCall): RouteResponse {
  const params = new LegacyParameters(call);
  const query = params.text("q");
  if (query === undefined) throw coded("missing");
  const size = params.count(COUNTS);
  const newer = inNewerOperators(query);
  if (newer === undefined) throw coded("badQuery");
  const oldest = call.sandbox.time.now() - WINDOW_MS;
  const bounds = {
    ...boundsOf(params),
    startTime: Math.max(newer.since ?? oldest, oldest),
    endTime: untilOf(params) ?? newer.until,
  };
  const context = renderContext(call);
  const language = params.text("lang");
  const geocode = params.text("geocode");
  const search = inArea(
    parsed(language === undefined ? newer.query : `(${newer.query}) lang:${language}`),
    geocode,
  );
  const { items, next } = runSearch(context, search, bounds, { size, cursor: undefined });
  const view = viewOf(call, params);
  const metadata = { iso_language_code: language ?? "en", result_type: "recent" };
  const newest = items[0]?.id ?? "0";
  const lowest = items.at(-1)?.id;
  const queryParams = {
    q: query,
    ...(language !== undefined && { lang: language }),
    ...(geocode !== undefined && { geocode }),
  };
  const searchQuery = new URLSearchParams({ ...queryParams, include_entities: "1" }).toString();
  const older = lowest === undefined ? "" : String(BigInt(lowest) - 1n);
  return legacyBody({
    statuses: items.map((post) => ({ ...renderStatus(view, post), metadata })),
    search_metadata: {
      completed_in: 0,
      max_id: wireInt(newest),
      max_id_str: newest,
      ...(next === undefined
        ? {}
        : { next_results: `?max_id=${older}&${searchQuery}&count=${size}` }),
      query: encodeURIComponent(query).replaceAll("%20", "+"),
      refresh_url: `?since_id=${newest}&${searchQuery}`,
      count: size,
      since_id: wireInt(bounds.sinceId ?? "0"),
      since_id_str: bounds.sinceId ?? "0",
    },
  });
}

/** Reads the day, in UTC, before which posts must have been created. @throws {ApiError} 400, code 44. */
function untilOf(params: LegacyParameters): number | undefined {
  const day = params.text("until");
  if (day === undefined) return undefined;
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  if (Number.isNaN(at)) throw badParameter("until");
  return at;
}

/**
 * Limits a search to an area: `LATITUDE,LONGITUDE,RADIUS`, such as `48.86,2.35,16km`.
 *
 * @throws {ApiError} 400, code 195.
 */
function inArea(search: SearchExpression, geocode: string | undefined): SearchExpression {
  if (geocode === undefined) return search;
  const [latitude = "", longitude = "", ...radius] = geocode.split(",");
  const circle = readPointRadius(`${longitude} ${latitude} ${radius.join(",")}`, Infinity);
  if (circle === undefined) throw coded("badQuery");
  return { kind: "all", parts: [search, { kind: "clause", clause: circleClause(circle) }] };
}

function parsed(query: string): SearchExpression {
  try {
    return parseSearch(query);
  } catch (error) {
    if (error instanceof SearchSyntaxError) throw coded("badQuery");
    throw error;
  }
}
