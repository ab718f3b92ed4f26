const KEPT_MS = 15 * 60_000;

/** Recent nonces with their machine time. A signed request with a known nonce is refused. */
export class Nonces {
  readonly #now: () => number;
  #recent = new Set<string>();
  #older = new Set<string>();
  #rotatedAt: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#rotatedAt = now();
  }

  /** Claims a nonce; returns `false` when `key` was claimed before. */
  claim(key: string): boolean {
    if (this.#now() - this.#rotatedAt > KEPT_MS) {
      this.#older = this.#recent;
      this.#recent = new Set();
      this.#rotatedAt = this.#now();
    }
    if (this.#recent.has(key) || this.#older.has(key)) return false;
    this.#recent.add(key);
    return true;
  }
}
