import type { Clock } from "../clock/clock.ts";
import { isStale, positionName, type SearchPosition, type SearchPositions } from "./positions.ts";
import { type FoundPost, isLater } from "./read-query.ts";

/** Parts of `AccountSearch` that {@link StreamedQueries} uses. */
export interface StreamedQueriesNeeds {
  readonly account: string;
  readonly positions: Pick<SearchPositions, "get">;
  readonly streamedSince: (query: string) => number | undefined;
  readonly clock: Clock;
}

/**
 * Milliseconds before a search is repeated: new rules on the stream and new posts in search take effect within a
 * minute.
 */
const AGAIN_MS = 60_000;
/** Maximum milliseconds until the next turn if all queries are streamed. A turn stores the position of each query. */
const TURN_MS = 60 * 60_000;

/**
 * Decides when recent search must read a query whose posts the filtered stream brings: when a connection begins and a
 * minute later, and after a streamed post could not be appended.
 */
export class StreamedQueries {
  readonly #needs: StreamedQueriesNeeds;
  /** Number of the stream connection for which searches were scheduled, by query. */
  readonly #since = new Map<string, number>();
  /**
   * Times at which recent search must read a query, by query. In milliseconds since the epoch, by the platform's clock.
   */
  readonly #readings = new Map<string, readonly number[]>();
  /** Newest streamed post that is in the journal, by query. */
  readonly #newest = new Map<string, Pick<FoundPost, "id" | "at">>();

  constructor(needs: StreamedQueriesNeeds) {
    this.#needs = needs;
  }

  /** Returns the queries that recent search must read now: those not streamed, and those with a due search. */
  due(queries: readonly string[]): readonly string[] {
    const now = this.#needs.clock.now();
    return queries.filter((query) => {
      const times = this.#readingsOf(query);
      return times === undefined || times.some((at) => at <= now);
    });
  }

  /** Returns the milliseconds until recent search must read the first of these queries. */
  waitMs(queries: readonly string[]): number {
    const now = this.#needs.clock.now();
    let waitMs = TURN_MS;
    for (const query of queries) {
      const times = this.#readingsOf(query) ?? [now];
      for (const at of times) waitMs = Math.min(waitMs, Math.max(0, at - now));
    }
    return waitMs;
  }

  /** Schedules searches for queries whose streamed post could not be appended. */
  leave(queries: readonly string[]): void {
    const now = this.#needs.clock.now();
    for (const query of queries) {
      this.#readings.set(query, [...(this.#readings.get(query) ?? []), now, now + AGAIN_MS]);
    }
  }

  /** Removes scheduled searches that a completed round has done. @param readAt Time of the search, by query. */
  readComplete(readAt: ReadonlyMap<string, number>): void {
    for (const [query, at] of readAt) {
      const later = this.#readings.get(query)?.filter((time) => time > at) ?? [];
      this.#readings.set(query, later);
    }
  }

  /** Records that a streamed post is in the journal. */
  advance({ id, at }: FoundPost, queries: readonly string[]): void {
    for (const query of queries) {
      const newest = this.#newest.get(query);
      if (newest === undefined || isLater(id, newest.id)) this.#newest.set(query, { id, at });
    }
  }

  /** Returns the positions to store after the streamed posts, for streamed queries without a scheduled search. */
  moved(queries: readonly string[]): ReadonlyMap<string, SearchPosition> {
    const { account, positions, clock } = this.#needs;
    const now = clock.now();
    const moved = new Map<string, SearchPosition>();
    for (const query of queries) {
      if (this.#readingsOf(query)?.length !== 0) continue;
      const name = positionName(account, query);
      const position = positions.get(name);
      if (position === undefined) continue;
      const streamed = this.#newest.get(query);
      this.#newest.delete(query);
      const hasMoved =
        streamed !== undefined &&
        (position.newest === undefined || isLater(streamed.id, position.newest.id));
      if (!hasMoved && !isStale(position, now)) continue;
      moved.set(name, { ...position, ...(hasMoved && { newest: streamed }), readAt: now });
    }
    return moved;
  }

  /** Returns the times of the scheduled searches for a streamed query; undefined for a query that is not streamed. */
  #readingsOf(query: string): readonly number[] | undefined {
    const since = this.#needs.streamedSince(query);
    if (since === undefined) {
      this.#since.delete(query);
      return undefined;
    }
    if (this.#since.get(query) !== since) {
      this.#since.set(query, since);
      const now = this.#needs.clock.now();
      this.#readings.set(query, [now, now + AGAIN_MS]);
    }
    return this.#readings.get(query) ?? [];
  }
}
