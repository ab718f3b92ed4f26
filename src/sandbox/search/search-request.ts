import { projects } from "../model/apps.ts";
import { appOf } from "../auth/caller.ts";
import type { Query } from "../data-query/query.ts";
import { addTimeFault, checkPeriod } from "../data-query/time-fault.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { idAt } from "../kernel/world/ids.ts";
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

/** Minimum age of `start_time` and `end_time`. Source: errors of the live service. */
const MIN_AGE_MS = 10_000;

/** Reads the time and id bounds of a search. Bounds outside the range of the search are faults of the query. */
export function readBounds(query: Query, now: number, { oldest, span }: SearchReach): ListBounds {
  const startTime = query.time("start_time");
  const endTime = query.time("end_time");
  const sinceId = query.id("since_id");
  const untilId = query.id("until_id");
  addIdFaults(query, { sinceId, untilId, startTime, endTime }, oldest);
  // The error message shows `oldest` in whole minutes, so any second of that minute is still allowed.
  if (startTime !== undefined && startTime < oldest - MINUTE_MS) {
    addTimeFault(query, "start_time", startTime, `must be on or after ${iso(oldest)}`);
  }
  for (const [name, at] of [
    ["start_time", startTime],
    ["end_time", endTime],
  ] as const) {
    if (at === undefined || at <= now - MIN_AGE_MS) continue;
    addTimeFault(query, name, at, "must be a minimum of 10 seconds prior to the request time");
  }
  checkPeriod(query, startTime ?? oldest, endTime);
  const begins = startTime ?? (sinceId === undefined ? (endTime ?? now) - span : oldest);
  return { sinceId, untilId, startTime: Math.max(begins, oldest), endTime };
}

/** Adds the faults of the id bounds, in the live service's words. */
function addIdFaults(query: Query, bounds: ListBounds, oldest: number): void {
  const { sinceId, untilId, startTime, endTime } = bounds;
  if ((startTime ?? endTime) !== undefined && (sinceId ?? untilId) !== undefined) {
    const [name, id = ""] = sinceId === undefined ? ["until_id", untilId] : ["since_id", sinceId];
    const message =
      "Invalid use of 'since_id' or 'until_id' in conjunction with 'start_time' or 'end_time'.";
    query.addFaultMessage(name, id, message);
  }
  if (sinceId === undefined || BigInt(sinceId) >= idAt(oldest - MINUTE_MS)) return;
  const message = `'since_id' must be a tweet id created after ${iso(oldest)}. Please use a 'since_id' that is larger than ${idAt(oldest)}`;
  query.addFaultMessage("since_id", sinceId, message);
}

/** Formats a time in whole minutes, as the live service does in its errors. */
function iso(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`;
}
