/**
 * Remembers ids for a while, for deduplication.
 *
 * An id is forgotten between `spanMs` and twice `spanMs` after its arrival.
 */
export class SeenIds {
  readonly #now: () => number;
  readonly #spanMs: number;
  #older = new Set<string>();
  #newer = new Set<string>();
  #since: number;

  /** Creates an empty memory of ids. @param spanMs Minimum time for which an id is remembered. */
  constructor(now: () => number, spanMs: number) {
    this.#now = now;
    this.#spanMs = spanMs;
    this.#since = now();
  }

  /** Adds an id; returns false if it is a duplicate. */
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
