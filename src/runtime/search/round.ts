import type { SearchPosition } from "./positions.ts";
import { type FoundPost, isLater } from "./read-query.ts";

/** Post that a round has found, with the queries that found it. */
export interface RoundPost {
  readonly post: FoundPost;
  readonly queries: readonly string[];
}

/** Result of one round over several queries: found posts for the journal, and the positions to store after that. */
export class SearchRound {
  readonly #posts = new Map<string, { readonly post: FoundPost; readonly queries: string[] }>();
  readonly #moved = new Map<string, SearchPosition>();
  /** Times at which the queries were read. */
  readonly readAt = new Map<string, number>();

  /** Adds a post that a query found. A post of several queries is added once, with all of them. */
  add(post: FoundPost, query: string): void {
    const entry = this.#posts.get(post.id);
    if (entry === undefined) this.#posts.set(post.id, { post, queries: [query] });
    else entry.queries.push(query);
  }

  /** Sets the position to store under `name` once all posts are appended. */
  move(name: string, to: SearchPosition): void {
    this.#moved.set(name, to);
  }

  /** Posts, oldest first. */
  get posts(): readonly RoundPost[] {
    return [...this.#posts.values()].sort((a, b) => (isLater(a.post.id, b.post.id) ? 1 : -1));
  }

  /** Positions to store, by name. */
  get moved(): ReadonlyMap<string, SearchPosition> {
    return this.#moved;
  }
}
