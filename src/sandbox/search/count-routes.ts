import { assumed } from "../kernel/ledger.ts";
import { encodeCursor } from "../kernel/world/paging.ts";
import { timeOfId } from "../kernel/world/ids.ts";
import { posts } from "../model/posts.ts";
import { Query } from "../data-query/query.ts";
import { renderContext } from "../data-query/viewer.ts";
import type { Route, RouteCall, RouteResponse } from "../server/route.ts";
import {
  ARCHIVE,
  readBounds,
  recentReach,
  type SearchReach,
  ARCHIVE_LENGTHS,
  readSearch,
  RECENT_LENGTHS,
} from "./search-request.ts";
import { bucketsOf, countInto, GRANULARITIES } from "./buckets.ts";
import { postsFound } from "./run.ts";

const SECOND_MS = 1_000;
/** Time range of one page of counts. Source: the live service's description of full-archive counts. */
const PAGE_MS = 31 * 24 * 60 * 60 * SECOND_MS;

const COUNT_FIELDS = ["end", "start", "post_count"] as const;

const ledger = assumed("Not documented; follows the live service's API description.");

export const countRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/posts/counts/recent",
    ledger,
    auth: ["bearer", "oauth2"],
    scopes: ["tweet.read", "users.read"],
    limits: { app: 300, user: 300 },
    handle: (call) => countPosts(call, recentReach(call.sandbox.time.now()), RECENT_LENGTHS),
  },
  {
    method: "GET",
    path: "/2/posts/counts/all",
    ledger,
    auth: ["bearer"],
    limits: { app: 300 },
    handle: (call) => countPosts(call, ARCHIVE, ARCHIVE_LENGTHS),
  },
];

function wholeSecond(at: number): number {
  return Math.floor(at / SECOND_MS) * SECOND_MS;
}

/** Counts the results of a search per minute, hour or day, the earliest first; later pages go back in time. */
function countPosts(
  call: RouteCall,
  reach: SearchReach,
  lengths: typeof RECENT_LENGTHS,
): RouteResponse {
  const query = new Query(call);
  const search = readSearch(query, call, lengths);
  const granularity = query.choice("granularity", ["minute", "hour", "day"]) ?? "hour";
  const next = query.token("next_token");
  const cursor = query.token("pagination_token") ?? next;
  query.choices("search_count.fields", COUNT_FIELDS);
  const now = call.sandbox.time.now();
  const bounds = readBounds(query, now, reach);
  query.finish();
  const secondOf = (id: string): number =>
    wholeSecond(posts.in(call.sandbox.world).get(id)?.at ?? timeOfId(id));
  const { sinceId, untilId, startTime = reach.oldest, endTime } = bounds;
  // Includes the posts of the current second, or of the second of `until_id`.
  const lastSecond = Math.min(wholeSecond(now), untilId === undefined ? now : secondOf(untilId));
  const until = Math.min(endTime ?? lastSecond + SECOND_MS, Number(cursor?.id ?? Infinity));
  const begin = Math.max(startTime, sinceId === undefined ? startTime : secondOf(sinceId));
  const from = Math.max(begin, until - PAGE_MS);
  const buckets = bucketsOf(from, until, GRANULARITIES[granularity]);
  const within = { ...bounds, startTime: from, endTime: until };
  let total = 0;
  for (const { at } of postsFound(renderContext(call), search(), within)) {
    countInto(buckets, at);
    total += 1;
  }
  const data = buckets.map(({ start, end, count }) => ({
    end: new Date(end).toISOString(),
    start: new Date(start).toISOString(),
    post_count: count,
  }));
  const more = from > begin && { next_token: encodeCursor({ direction: "older", id: `${from}` }) };
  return { body: { ...(data.length > 0 && { data }), meta: { total_post_count: total, ...more } } };
}
