import type { Client, RateLimit } from "../../client/client.ts";
import { idTime } from "../../events/read/id-time.ts";
import { POST_SELECTION, type ReadPost } from "../../events/read/objects.ts";
import { postDelivery } from "../../events/read/post.ts";
import type { Wire } from "../../events/wire.ts";
import type { SearchPosition } from "./positions.ts";

/** Client that searches for one account. */
export type SearchClient = Pick<Client<"oauth1">, "posts" | "rateLimits">;

/** Found post, in the form in which the webhook would deliver it. */
export interface FoundPost {
  readonly id: string;
  /** Time at which the post was created, in milliseconds since the epoch. */
  readonly at: number;
  readonly author: string;
  readonly delivery: Wire;
}

/** Result of one search for a query: the posts after its position. */
export interface QueryReading {
  readonly posts: readonly FoundPost[];
  /** Position after these posts, to be stored, with the time up to which all posts were read. */
  readonly next: SearchPosition & { readonly readAt: number };
  /** Whether newer posts were dropped, because there are more than {@link MAX_POSTS}. The next search finds them. */
  readonly isCut: boolean;
  /** Period, in milliseconds since the epoch, from which posts may be missing: search does not reach back that far. */
  readonly lost?: { readonly from: number; readonly to: number };
}

/** Query to read. */
export interface QueryRequest {
  readonly account: string;
  readonly query: string;
  /** Time at which the reading begins, in milliseconds since the epoch, by the platform's clock. */
  readonly now: number;
  /** Whether the five minutes before the position are read again. */
  readonly overlaps: boolean;
}

/** Reading of a query, page by page. If a rate limit or an error interrupts it, it continues with its next page. */
export interface StartedReading {
  readonly request: QueryRequest;
  readonly position: SearchPosition;
  /** Posts of the pages so far, newest first. */
  readonly posts: FoundPost[];
  /** Newest post of the pages so far, or that of the position. */
  newest: SearchPosition["newest"];
  isCut: boolean;
  /** Token of the next page. */
  token: string | undefined;
  /** Number of answered requests. */
  requests: number;
}

/** Returns a reading without a page, for {@link readQuery}. */
export function startReading(request: QueryRequest, position: SearchPosition): StartedReading {
  const { newest } = position;
  return { request, position, posts: [], newest, isCut: false, token: undefined, requests: 0 };
}

/** How far back recent search reaches: seven days, minus a minute because requests take time. */
const REACH_MS = 7 * 24 * 60 * 60_000 - 60_000;
/** Milliseconds before the position that are read again, because search finds some posts later than newer posts. */
export const OVERLAP_MS = 5 * 60_000;
/** Minimum age of `startTime`: the platform requires ten seconds, and the clocks may differ. */
const MIN_AGE_MS = 15_000;
const PAGE_SIZE = 100;
/** Maximum number of posts of one reading, to bound the memory. */
export const MAX_POSTS = 5_000;
/** Turns off the client's retries, because the source retries at its own pace. */
const ONCE = { retry: false } as const;

/**
 * Searches for the posts of a query after its position, page by page. If a page fails, `reading` keeps the pages before.
 *
 * Reading the minutes before the position again costs at most one more request: pages come newest first, and reading
 * ends after the first page without a new post.
 *
 * @param now Current time in milliseconds since the epoch, by the platform's clock.
 */
export async function readQuery(
  client: SearchClient,
  reading: StartedReading,
  now: number,
): Promise<QueryReading> {
  const { request, position } = reading;
  const { from, newest, readAt } = position;
  const oldest = now - REACH_MS;
  // The bounds stay the same for all pages, unless search no longer reaches back that far.
  const limits = { oldest, latest: request.now - MIN_AGE_MS };
  const bounds = boundsOf(position, limits, request.overlaps);
  do {
    const paging = { query: request.query, maxResults: PAGE_SIZE, paginationToken: reading.token };
    const page = await client.posts.searchRecent({ ...POST_SELECTION, ...bounds, ...paging }, ONCE);
    reading.requests += 1;
    for (const post of page.data) {
      addPost(reading, post, postDelivery(request.account, post, page.includes));
    }
    cut(reading);
    const newestOfPage = page.data[0]?.id;
    const hasNew =
      newest === undefined || newestOfPage === undefined || isLater(newestOfPage, newest.id);
    reading.token = hasNew ? page.meta.next_token : undefined;
  } while (reading.token !== undefined);
  const { posts, isCut, newest: last } = reading;
  const readTo = isCut && last !== undefined ? last.at : request.now;
  return {
    posts,
    isCut,
    next: { from, ...(last !== undefined && { newest: last }), readAt: readTo },
    ...(readAt !== undefined && readAt < oldest && { lost: { from: readAt, to: oldest } }),
  };
}

function addPost(reading: StartedReading, post: ReadPost, delivery: Wire | undefined): void {
  const [{ id }, at] = [post, timeOf(post)];
  if (at < reading.position.from) return;
  const { newest } = reading;
  if (newest === undefined || isLater(id, newest.id)) reading.newest = { id, at };
  if (delivery !== undefined) reading.posts.push({ id, at, author: post.author_id, delivery });
}

/** Drops the newest posts above {@link MAX_POSTS}, because posts are appended oldest first. */
function cut(reading: StartedReading): void {
  const { posts } = reading;
  if (posts.length <= MAX_POSTS) return;
  posts.splice(0, posts.length - MAX_POSTS);
  const [newest] = posts;
  if (newest !== undefined) reading.newest = { id: newest.id, at: newest.at };
  reading.isCut = true;
}

/** Returns the lower bound of a search: the newest known post, or a time from `oldest` to `latest`. */
function boundsOf(
  { from, newest }: SearchPosition,
  { oldest, latest }: { readonly oldest: number; readonly latest: number },
  overlaps: boolean,
): { readonly sinceId: string } | { readonly startTime: Date } {
  if (newest !== undefined && newest.at > oldest && !overlaps) return { sinceId: newest.id };
  const start = newest === undefined ? from : Math.max(from, newest.at - OVERLAP_MS);
  return { startTime: new Date(wholeSecond(Math.max(Math.min(start, latest), oldest))) };
}

/** Returns a post's time: from its id, which has milliseconds, else from `created_at`, which has whole seconds. */
export function timeOf({ id, created_at }: Pick<ReadPost, "id" | "created_at">): number {
  return idTime(id) ?? Date.parse(created_at);
}

function wholeSecond(at: number): number {
  return Math.floor(at / 1_000) * 1_000;
}

/** Whether the id `one` is larger than `other`. Ids are decimal numbers of any length. */
export function isLater(one: string, other: string): boolean {
  return one.length === other.length ? one > other : one.length > other.length;
}

/** Share of the rate limit that searches leave to other uses of the endpoint. */
const RESERVED_SHARE = 0.2;
/** Shortest milliseconds between two rounds; also used if the platform does not count requests against a limit. */
const UNCOUNTED_MS = 2_000;
/** Milliseconds between two rounds if the platform reports no limit. */
const UNTOLD_MS = 60_000;

/**
 * Computes the real milliseconds until the next round, so that the window's remaining requests last until its reset.
 * Pure.
 *
 * @param window Rate limit after the last round, as the platform reported it.
 * @param requests Number of requests of a round.
 * @param now Milliseconds since the epoch, by the platform's clock.
 */
export function roundPaceMs(window: RateLimit | undefined, requests: number, now: number): number {
  if (window === undefined) return UNTOLD_MS;
  if (window.remaining >= window.limit) return UNCOUNTED_MS;
  const leftMs = Math.max(0, window.resetAt - now);
  const budget = window.remaining - window.limit * RESERVED_SHARE;
  if (budget < requests) return Math.max(UNCOUNTED_MS, leftMs);
  return Math.max(UNCOUNTED_MS, (leftMs * requests) / budget);
}
