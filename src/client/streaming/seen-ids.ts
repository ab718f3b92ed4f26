/**
 * Remembers ids for a while, so that what comes twice is given once.
 *
 * Ids are forgotten between one and two spans after they came.
 */
export class SeenIds {
  readonly #now: () => number;
  readonly #spanMs: number;
  #older = new Set<string>();
  #newer = new Set<string>();
  #since: number;

  /** @param spanMs How long an id is remembered at least. */
  constructor(now: () => number, spanMs: number) {
    this.#now = now;
    this.#spanMs = spanMs;
    this.#since = now();
  }

  /** Notes an id; false where it was noted before. */
  add(id: string): boolean {
    const now = this.#now();
    if (now - this.#since >= this.#spanMs) {
      this.#older = this.#newer;
      this.#newer = new Set();
      this.#since = now;
    }
    if (this.#newer.has(id) || this.#older.has(id)) return false;
    this.#newer.add(id);
    return true;
  }
}
