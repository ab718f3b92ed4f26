import type { Database } from "./binding.ts";
import { recount } from "./recount.ts";

/**
 * In-memory counters that change with the store's transactions: the last `seq` and item `id`, and numbers of rows of
 * each kind. With them, no query has to count table rows.
 *
 * The counters are written to the file only occasionally, because each write would add a page to a transaction. When
 * the file is opened, {@link recount} adds later changes from the tables. The last numbers of runs and state versions
 * cannot be found in the tables. They are reserved in blocks of {@link RESERVE}, so some numbers are never used.
 */
export class Counters {
  readonly #known: Map<string, number>;
  readonly #changed = new Map<string, number>();
  /** Counter values that are stored in the file. */
  readonly #written: Map<string, number>;
  /** Counter values that this transaction writes to the file. */
  readonly #writing = new Map<string, number>();
  readonly #save;
  #asked = false;

  constructor(db: Database) {
    const rows = db.prepare<{ name: string; n: number }>("SELECT name, n FROM counters").all();
    this.#written = new Map(rows.map(({ name, n }) => [name, n]));
    this.#known = recount(db, this.#written);
    this.#save = db.prepare(
      "INSERT INTO counters (name, n) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET n = excluded.n",
    );
  }

  get(name: string): number {
    return this.#changed.get(name) ?? this.#known.get(name) ?? 0;
  }

  /** Adds `delta` to a counter. Returns its new value. */
  add(name: string, delta: number): number {
    const n = this.get(name) + delta;
    this.#changed.set(name, n);
    return n;
  }

  set(name: string, n: number): void {
    this.#changed.set(name, n);
  }

  /** Makes this transaction write the counters, for use if it deletes rows from which they would be recounted. */
  save(): void {
    this.#asked = true;
  }

  /** Returns the counter's value that is stored in the file; 0 if there is none. */
  written(name: string): number {
    return this.#written.get(name) ?? 0;
  }

  /**
   * Writes the counters {@link AT_ONCE} to the file if they have changed, and the others if that is due. Call it inside
   * the transaction that changed the counters.
   */
  flush(): void {
    for (const name of AT_ONCE) {
      if (this.#changed.has(name)) this.#writing.set(name, this.get(name));
    }
    if (this.#isDue()) {
      for (const name of TOLD) this.#writing.set(name, this.get(name));
      for (const name of RESERVED) this.#writing.set(name, this.get(name) + RESERVE);
    }
    for (const [name, n] of this.#writing) this.#save.run(name, n);
  }

  #isDue(): boolean {
    return (
      this.#asked ||
      RESERVED.some((name) => this.#changed.has(name) && this.get(name) > this.written(name)) ||
      this.get("seq") - this.written("seq") >= RESERVE
    );
  }

  /** Applies the changes. Call it after the transaction was committed. */
  keep(): void {
    for (const [name, n] of this.#changed) this.#known.set(name, n);
    for (const [name, n] of this.#writing) this.#written.set(name, n);
    this.undo();
  }

  /** Discards the changes. Call it after the transaction was rolled back. */
  undo(): void {
    this.#changed.clear();
    this.#writing.clear();
    this.#asked = false;
  }
}

/** Counters that can be recounted: the stored value, plus table rows that are newer than this value. */
const TOLD = ["seq", "item", "journal", "items"] as const;
/** Counters that are written with every change, because no table contains them. */
const AT_ONCE = ["epoch", "syncs"] as const;
/** Counters whose numbers are reserved in blocks ahead of their use. */
const RESERVED = ["run", "state"] as const;
const RESERVE = 1_000;
