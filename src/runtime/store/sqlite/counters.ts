import type { Database } from "./binding.ts";
import { recount } from "./recount.ts";

/**
 * Numbers that live in the store's transactions: the last `seq` and item `id` given, and how many
 * rows there are of a kind, so that neither is counted by reading tables.
 *
 * Written now and then only, since their page would go to the disk with every transaction: when the file
 * is opened, the tables tell what came after ({@link recount}). What they can't tell is written ahead:
 * numbers of runs and state versions are reserved by the thousand, so some of them are never given.
 */
export class Counters {
  readonly #known: Map<string, number>;
  readonly #changed = new Map<string, number>();
  /** What the file has. */
  readonly #written: Map<string, number>;
  /** What this transaction writes. */
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

  /** The new number. */
  add(name: string, delta: number): number {
    const n = this.get(name) + delta;
    this.#changed.set(name, n);
    return n;
  }

  set(name: string, n: number): void {
    this.#changed.set(name, n);
  }

  /** This transaction writes them: it takes away rows from which they are told. */
  save(): void {
    this.#asked = true;
  }

  /** The number that the file has, unless the tables tell a later one. */
  written(name: string): number {
    return this.#written.get(name) ?? 0;
  }

  /** Writes what has to be written; to be called inside the transaction that it belongs to. */
  flush(): void {
    if (!this.#isDue()) return;
    for (const name of [...TOLD, ...AT_ONCE]) this.#writing.set(name, this.get(name));
    for (const name of RESERVED) this.#writing.set(name, this.get(name) + RESERVE);
    for (const [name, n] of this.#writing) this.#save.run(name, n);
  }

  #isDue(): boolean {
    return (
      this.#asked ||
      AT_ONCE.some((name) => this.#changed.has(name)) ||
      RESERVED.some((name) => this.#changed.has(name) && this.get(name) > this.written(name)) ||
      this.get("seq") - this.written("seq") >= RESERVE
    );
  }

  /** The transaction is on disk. */
  keep(): void {
    for (const [name, n] of this.#changed) this.#known.set(name, n);
    for (const [name, n] of this.#writing) this.#written.set(name, n);
    this.undo();
  }

  /** The transaction was given up. */
  undo(): void {
    this.#changed.clear();
    this.#writing.clear();
    this.#asked = false;
  }
}

/** The tables tell what these are by now from what they were. */
const TOLD = ["seq", "item", "journal", "items"] as const;
/** Only the file tells. */
const AT_ONCE = ["epoch", "syncs"] as const;
/** Written ahead. */
const RESERVED = ["run", "state"] as const;
const RESERVE = 1_000;
