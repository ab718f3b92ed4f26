import type { RateLimit } from "../../client/client.ts";
import { PlatformError, RateLimitError } from "../../client/errors.ts";
import { foundBody } from "../../events/kinds/post.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { backOffMs } from "../loop/back-off.ts";
import { type Append, ComeAgain } from "../source.ts";
import { isStale, positionName, type SearchPosition, type SearchPositions } from "./positions.ts";
import {
  type FoundPost,
  OVERLAP_MS,
  type QueryReading,
  readQuery,
  roundPaceMs,
  type SearchClient,
  type StartedReading,
  startReading,
} from "./read-query.ts";
import { type RoundPost, SearchRound } from "./round.ts";
import { SeenPosts } from "./seen-posts.ts";
import { StreamedQueries } from "./streamed-queries.ts";

export interface AccountSearchNeeds {
  /** User id. */
  readonly account: string;
  readonly positions: SearchPositions;
  /** Returns the account's client with its current tokens; undefined while no requests may be sent for the account. */
  readonly clientOf: (account: string) => SearchClient | undefined;
  /** Returns whether a user id is one of the bot's accounts. */
  readonly isOwn: (id: string) => boolean;
  readonly append: Append;
  /**
   * Returns the number of the stream connection that brings the posts of a query; undefined while no connection does.
   */
  readonly streamedSince: (query: string) => number | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns a random number, evenly distributed in [0, 1). */
  readonly random: () => number;
}

/** State of one search query of an account. Times are milliseconds since the epoch, by the platform's clock. */
export interface QueryStatus {
  readonly query: string;
  /** User id. */
  readonly account: string;
  /** Time of the last complete search; absent before the first search. */
  readonly readAt?: number;
  /** Reason why the last search failed; absent if it succeeded. */
  readonly trouble?: string;
  /** Period from which posts may be missing, because recent search does not reach back that far. */
  readonly lost?: { readonly from: number; readonly to: number };
  /** Rate limit of recent search, as the platform last reported it. */
  readonly limit?: RateLimit;
}

const ENDPOINT = "GET /2/posts/search/recent";
const FAILING = { leastMs: 2_000, baseMs: 5_000, mostMs: 15 * 60_000 };
/** Milliseconds before a found post is appended again, if an earlier event of the post was not decided yet. */
const UNDECIDED_MS = 1_000;
/** Milliseconds between two searches that also read the five minutes before the newest known post. */
const OVERLAP_EVERY_MS = 60_000;

/**
 * Searches posts for one account. A round runs one search for each due query, so that a post found by several queries
 * is appended as one event.
 */
export class AccountSearch {
  readonly #needs: AccountSearchNeeds;
  readonly #readAt = new Map<string, number>();
  readonly #trouble = new Map<string, string>();
  readonly #lost = new Map<string, NonNullable<QueryStatus["lost"]>>();
  /** Time of the last overlapping search of a query (see `#overlaps`), by query. */
  readonly #overlappedAt = new Map<string, number>();
  /** Interrupted searches, by query. */
  readonly #interrupted = new Map<string, StartedReading>();
  /** Query with which the next round begins. */
  #first: string | undefined;
  readonly #seen = new SeenPosts(2 * OVERLAP_MS);
  readonly #streamed: StreamedQueries;
  #round: SearchRound | undefined;
  #failed = 0;
  /** Monotonic time of the next round. */
  #nextAt = 0;

  constructor(needs: AccountSearchNeeds) {
    this.#needs = needs;
    this.#streamed = new StreamedQueries(needs);
  }

  /** Returns the real milliseconds until the next round of searches is due. */
  waitMs(queries: readonly string[]): number {
    const paceMs = Math.max(0, this.#nextAt - performance.now());
    if (this.#round !== undefined) return paceMs;
    return Math.max(paceMs, this.#streamed.waitMs(queries));
  }

  /** Makes the next round due at once, except while the search waits after a failure. */
  hurry(): void {
    if (this.#failed === 0) this.#nextAt = 0;
  }

  /** Appends a post from the filtered stream that matches these queries. */
  async take(post: FoundPost, queries: readonly string[]): Promise<void> {
    const { append, positions, account, isOwn, clock, log } = this.#needs;
    if (isOwn(post.author)) return;
    const by = queries.filter((query) => {
      const position = positions.get(positionName(account, query));
      return position !== undefined && post.at >= position.from;
    });
    if (by.length === 0) return;
    const body = foundBody(post.delivery, by);
    try {
      await append(body, JSON.stringify(body));
    } catch (error) {
      if (!(error instanceof ComeAgain)) log.warn({ err: error }, "a streamed post was not stored");
      this.#streamed.leave(by);
      return;
    }
    this.#seen.add(post, by, clock.now());
    this.#streamed.advance(post, by);
  }

  /** Makes the next rounds search for these queries, because the filtered stream can't bring all of their posts. */
  leave(queries: readonly string[]): void {
    this.#streamed.leave(queries);
  }

  status(queries: readonly string[]): readonly QueryStatus[] {
    const { account, clientOf } = this.#needs;
    const limit = clientOf(account)?.rateLimits.get(ENDPOINT)?.window;
    return queries.map((query) => {
      const [readAt, trouble] = [this.#readAt.get(query), this.#trouble.get(query)];
      const lost = this.#lost.get(query);
      return {
        query,
        account,
        ...(readAt !== undefined && { readAt }),
        ...(trouble !== undefined && { trouble }),
        ...(lost !== undefined && { lost }),
        ...(limit !== undefined && { limit }),
      };
    });
  }

  /** Searches for the due queries, appends the found posts, oldest first, and then stores the new positions. */
  async turn(queries: readonly string[]): Promise<void> {
    for (const query of this.#interrupted.keys()) {
      if (!queries.includes(query)) this.#interrupted.delete(query);
    }
    const due = this.#streamed.due(queries);
    if ((this.#round !== undefined || due.length > 0) && this.#nextAt <= performance.now()) {
      await this.#takeRound(this.#round ?? (await this.#read(due)));
    }
    await this.#needs.positions.move(this.#streamed.moved(queries));
  }

  async #takeRound(round: SearchRound): Promise<void> {
    const { positions, clock } = this.#needs;
    try {
      for (const one of round.posts) await this.#takePost(one, round);
      if (round.posts.length === 0) await positions.move(round.moved);
    } catch (error) {
      this.#wait(round);
      throw error;
    }
    this.#seen.prune(clock.now());
    if (round.posts.length > 0) return this.#wait(round);
    this.#round = undefined;
    this.#streamed.readComplete(round.readAt);
  }

  /** Appends a post. If an earlier event of the post is not decided yet, the post stays in the round. */
  async #takePost({ post, queries: by }: RoundPost, round: SearchRound): Promise<void> {
    const body = foundBody(post.delivery, by);
    try {
      await this.#needs.append(body, JSON.stringify(body));
    } catch (error) {
      if (error instanceof ComeAgain) return;
      throw error;
    }
    this.#seen.add(post, by, this.#needs.clock.now());
    round.remove(post);
  }

  /** Continues with the posts that the round still has after a second. */
  #wait(round: SearchRound): void {
    this.#round = round;
    this.#nextAt = performance.now() + UNDECIDED_MS;
  }

  async #read(queries: readonly string[]): Promise<SearchRound> {
    const { account, positions } = this.#needs;
    const round = new SearchRound();
    let requests = 0;
    let failure: unknown;
    const ordered = startingWith(this.#first, queries);
    this.#first = undefined;
    for (const [index, query] of ordered.entries()) {
      const position = positions.get(positionName(account, query));
      if (position === undefined) continue;
      const reading = this.#readingOf(query, position);
      const before = reading.requests;
      try {
        await this.#readOn(round, reading);
      } catch (error) {
        failure = error;
        this.#tell(query, error);
        // A refused query does not stop the other queries. A rate limit or an outage concerns all queries.
        if (error instanceof PlatformError && error.status === 400) continue;
        if (reading.requests > 0) this.#interrupted.set(query, reading);
        // A query that fails at its first page does not keep the queries behind it waiting.
        const goesOn = reading.requests > before || error instanceof RateLimitError;
        this.#first = goesOn ? query : ordered[index + 1];
        break;
      } finally {
        requests += reading.requests - before;
      }
    }
    this.#schedule(requests, failure);
    return round;
  }

  /** Returns the interrupted reading of a query, else a new one. Forgets the interrupted reading. */
  #readingOf(query: string, position: SearchPosition): StartedReading {
    const interrupted = this.#interrupted.get(query);
    this.#interrupted.delete(query);
    if (interrupted?.position === position) return interrupted;
    const { account, clock } = this.#needs;
    const now = clock.now();
    const overlaps = this.#overlaps(query, position, now);
    return startReading({ account, query, now, overlaps }, position);
  }

  /** Reads the remaining pages of a query, and adds its posts to the round. */
  async #readOn(round: SearchRound, reading: StartedReading): Promise<void> {
    const { account, clientOf, clock } = this.#needs;
    const client = clientOf(account);
    if (client === undefined) throw new Error("the account may not act now");
    const result = await readQuery(client, reading, clock.now());
    const { query, now, overlaps } = reading.request;
    this.#add(round, query, reading.position, result);
    if (!result.isCut) round.readAt.set(query, now);
    if (overlaps) this.#overlappedAt.set(query, now);
  }

  /**
   * Whether a search also reads the five minutes before the newest known post. That is the case for the first search,
   * for each search of a streamed query, and once a minute while the newest post is at most ten minutes old.
   */
  #overlaps(query: string, { newest }: SearchPosition, now: number): boolean {
    const last = this.#overlappedAt.get(query);
    if (last === undefined || this.#needs.streamedSince(query) !== undefined) return true;
    return (
      newest !== undefined && now - last >= OVERLAP_EVERY_MS && now - newest.at <= 2 * OVERLAP_MS
    );
  }

  /** Adds the posts of one search to the round, except posts of own accounts and posts appended before. */
  #add(
    round: SearchRound,
    query: string,
    position: SearchPosition,
    { posts, next, isCut, lost }: QueryReading,
  ): void {
    const { account, clock, isOwn, log } = this.#needs;
    for (const post of posts) {
      if (!isOwn(post.author) && !this.#seen.has(post.id, query)) round.add(post, query);
    }
    const hasMoved = next.newest !== position.newest;
    if (hasMoved || isStale(position, next.readAt)) round.move(positionName(account, query), next);
    if (lost !== undefined) {
      this.#lost.set(query, lost);
      const [from, to] = [lost.from, lost.to].map((at) => new Date(at).toISOString());
      log.warn({ account, query, from, to }, "posts may be lost: search reaches back seven days");
    }
    if (!isCut) this.#readAt.set(query, clock.now());
    this.#trouble.delete(query);
  }

  #tell(query: string, error: unknown): void {
    const { account, log } = this.#needs;
    const reason = messageOf(error);
    if (this.#trouble.get(query) !== reason) log.warn({ account, query, reason }, "not searched");
    this.#trouble.set(query, reason);
  }

  #schedule(requests: number, failure: unknown): void {
    const { account, clientOf, clock, random } = this.#needs;
    const isLimit = failure instanceof RateLimitError;
    // A long backlog is read in every window: its used-up limit is no repeated failure.
    const failedBefore = isLimit && requests > 0 ? 0 : this.#failed;
    this.#failed = failure === undefined ? 0 : failedBefore + 1;
    const window = clientOf(account)?.rateLimits.get(ENDPOINT)?.window;
    const resetAt = isLimit ? failure.resetAt : undefined;
    const waitMs =
      failure === undefined
        ? roundPaceMs(window, Math.max(requests, 1), clock.now())
        : backOffMs(FAILING, this.#failed, random()) + Math.max(0, (resetAt ?? 0) - clock.now());
    this.#nextAt = performance.now() + waitMs;
  }
}

/** Returns the queries in their order, beginning with `first` if it is one of them. */
function startingWith(first: string | undefined, queries: readonly string[]): readonly string[] {
  const index = first === undefined ? 0 : Math.max(0, queries.indexOf(first));
  return [...queries.slice(index), ...queries.slice(0, index)];
}
