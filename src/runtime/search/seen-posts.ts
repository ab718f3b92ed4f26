/** Remembers recent posts with the queries that found them, so that overlapping searches do not append a post again. */
export class SeenPosts {
  readonly #spanMs: number;
  /** Posts in the order in which they were added. */
  readonly #posts = new Map<string, { readonly at: number; readonly queries: Set<string> }>();

  /** @param spanMs Milliseconds for which a post is remembered, from its creation on. */
  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  has(id: string, query: string): boolean {
    return this.#posts.get(id)?.queries.has(query) === true;
  }

  /** Adds a post, unless it is older than `spanMs`. */
  add(
    { id, at }: { readonly id: string; readonly at: number },
    queries: readonly string[],
    now: number,
  ): void {
    if (now - at > this.#spanMs) return;
    const entry = this.#posts.get(id) ?? { at, queries: new Set() };
    for (const query of queries) entry.queries.add(query);
    this.#posts.set(id, entry);
  }

  /** Forgets the posts that are older than `spanMs`. */
  prune(now: number): void {
    for (const [id, { at }] of this.#posts) {
      if (now - at > this.#spanMs) this.#posts.delete(id);
    }
  }
}
