import type { Database } from "./binding.ts";

/**
 * Numbers that live in the store's transactions: the last `seq` and item `id` given, and how many
 * rows there are of a kind, so that neither is counted by reading tables.
 */
export class Counters {
  readonly #saved = new Map<string, number>();
  readonly #changed = new Map<string, number>();
  readonly #save;

  constructor(db: Database) {
    for (const { name, n } of db
      .prepare<{ name: string; n: number }>("SELECT name, n FROM counters")
      .all()) {
      this.#saved.set(name, n);
    }
    this.#save = db.prepare(
      "INSERT INTO counters (name, n) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET n = excluded.n",
    );
  }

  get(name: string): number {
    return this.#changed.get(name) ?? this.#saved.get(name) ?? 0;
  }

  /** The new number. */
  add(name: string, delta: number): number {
    const n = this.get(name) + delta;
    this.#changed.set(name, n);
    return n;
  }

  /**
   * Writes what changed; to be called inside the transaction that it belongs to.
   *
   * @returns Whether anything did.
   */
  flush(): boolean {
    for (const [name, n] of this.#changed) this.#save.run(name, n);
    return this.#changed.size > 0;
  }

  /** The transaction is on disk. */
  keep(): void {
    for (const [name, n] of this.#changed) this.#saved.set(name, n);
    this.#changed.clear();
  }

  /** The transaction was given up. */
  undo(): void {
    this.#changed.clear();
  }
}
