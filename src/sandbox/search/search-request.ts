import { projects } from "../model/apps.ts";
import { appOf } from "../auth/caller.ts";
import type { Query } from "../data-query/query.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteCall } from "../server/route.ts";
import type { ListBounds } from "../posts/reading/paged-posts.ts";
import { parseSearch, type SearchExpression } from "./parse.ts";
import { SearchSyntaxError } from "../../protocol/search-query/tokens.ts";

/** Maximum number of characters of a recent search's query, by plan. Source: operators of the live service. */
export const RECENT_LENGTHS = { enterprise: 4_096, other: 512 };
/** Maximum number of characters of a full-archive search's query, by plan. */
export const ARCHIVE_LENGTHS = { enterprise: 4_096, other: 1_024 };

/** Reads the parameter `query`. The returned function parses it, after all other parameters have been validated. */
export function readSearch(
  query: Query,
  call: RouteCall,
  lengths: typeof RECENT_LENGTHS,
): () => SearchExpression {
  query.require("query");
  const plan = projects.in(call.sandbox.world).get(appOf(call.caller).projectId)?.plan;
  const max = plan === "enterprise" ? lengths.enterprise : lengths.other;
  const text = query.text("query", { max });
  return () => parse(text ?? "");
}

/** Parses a query. @throws {ApiError} 400 that names the fault of the query and its position. */
function parse(text: string): SearchExpression {
  try {
    return parseSearch(text);
  } catch (error) {
    if (!(error instanceof SearchSyntaxError)) throw error;
    throw ApiError.parameter("query", text, syntaxFault(error));
  }
}

/** Returns the message of a syntax error in the live service's words. */
export function syntaxFault({ message, at }: SearchSyntaxError): string {
  return `There were errors processing your request: ${message} (at position ${at})`;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Time range that a search covers. */
export interface SearchReach {
  /** Earliest allowed `start_time`, in milliseconds since the Unix epoch. */
  readonly oldest: number;
  /** Milliseconds between the default `start_time` and the end of the search. */
  readonly span: number;
}

/** Returns the range of a recent search: the last seven days. */
export function recentReach(now: number): SearchReach {
  return { oldest: now - 7 * DAY_MS, span: 7 * DAY_MS };
}

/** Range of a full-archive search: from the platform's first day; without `start_time` and `since_id`, thirty days. */
export const ARCHIVE: SearchReach = { oldest: Date.UTC(2006, 2, 21), span: 30 * DAY_MS };

/** Reads the time and id bounds of a search. Bounds outside the range of the search are faults of the query. */
export function readBounds(query: Query, now: number, { oldest, span }: SearchReach): ListBounds {
  const startTime = query.time("start_time");
  const endTime = query.time("end_time");
  const sinceId = query.id("since_id");
  const iso = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;
  // The error message shows `oldest` in whole minutes, so any second of that minute is still allowed.
  if (startTime !== undefined && startTime < oldest - MINUTE_MS) {
    const isoStart = new Date(startTime).toISOString();
    query.addFaultMessage(
      "start_time",
      isoStart,
      `Invalid 'start_time':'${isoStart}'. 'start_time' must be on or after ${iso(oldest)}.`,
    );
  }
  for (const [name, at] of [
    ["start_time", startTime],
    ["end_time", endTime],
  ] as const) {
    if (at === undefined || at <= now + MINUTE_MS) continue;
    const isoTime = new Date(at).toISOString();
    query.addFaultMessage(
      name,
      isoTime,
      `Invalid '${name}':'${isoTime}'. '${name}' must not be in the future.`,
    );
  }
  if (endTime !== undefined && (startTime ?? oldest) >= endTime) {
    const isoEnd = new Date(endTime).toISOString();
    query.addFaultMessage(
      "end_time",
      isoEnd,
      `Invalid 'end_time':'${isoEnd}'. 'end_time' must be after 'start_time'.`,
    );
  }
  const begins = startTime ?? (sinceId === undefined ? (endTime ?? now) - span : oldest);
  return {
    sinceId,
    untilId: query.id("until_id"),
    startTime: Math.max(begins, oldest),
    endTime,
  };
}
