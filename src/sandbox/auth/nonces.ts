const KEPT_MS = 15 * 60_000;

/** Nonces of recent signed requests, at least of the last 15 minutes of machine time, to refuse repeated nonces. */
export class Nonces {
  readonly #now: () => number;
  #recent = new Set<string>();
  #older = new Set<string>();
  #rotatedAt: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#rotatedAt = now();
  }

  /** Claims a nonce; returns `false` if `key` was claimed recently. */
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
