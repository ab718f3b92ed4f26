import type { SearchPosition } from "./positions.ts";
import { type FoundPost, isLater } from "./read-query.ts";

/** Post found in a round of searches, with the queries that found it. */
export interface RoundPost {
  readonly post: FoundPost;
  readonly queries: readonly string[];
}

/** Result of one round over several queries: found posts for the journal, and the positions to store after that. */
export class SearchRound {
  readonly #posts = new Map<string, { readonly post: FoundPost; readonly queries: string[] }>();
  readonly #moved = new Map<string, SearchPosition>();
  /** Time of the search, by query. */
  readonly readAt = new Map<string, number>();

  /** Adds a post that a query found. A post that several queries find is added once, with all these queries. */
  add(post: FoundPost, query: string): void {
    const entry = this.#posts.get(post.id);
    if (entry === undefined) this.#posts.set(post.id, { post, queries: [query] });
    else entry.queries.push(query);
  }

  /** Removes a post that has been appended. */
  remove({ id }: FoundPost): void {
    this.#posts.delete(id);
  }

  /** Sets the position that is stored under `name` (see `positionName`) once all posts are appended. */
  move(name: string, to: SearchPosition): void {
    this.#moved.set(name, to);
  }

  /** Found posts that have not been appended, oldest first. */
  get posts(): readonly RoundPost[] {
    return [...this.#posts.values()].sort((a, b) => (isLater(a.post.id, b.post.id) ? 1 : -1));
  }

  /** Positions to store, by name (see `positionName`). */
  get moved(): ReadonlyMap<string, SearchPosition> {
    return this.#moved;
  }
}
