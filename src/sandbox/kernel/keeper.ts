import { Low } from "lowdb";
import type { Platform } from "./platform.ts";
import { Refusal } from "./refusal.ts";
import { type StoredRow, type StoredWorld, WorldLines } from "./saved-file.ts";
import type { SavedWorld } from "./world.ts";

/** How long changes gather before they are written, at least. */
const GATHER_MS = 1_000;

/** How many times as long as the last save the next one waits: a large busy world does other things too. */
const REST = 5;

/** Keeps a world in a file: loads it once, saves it a moment after changes and at the end. */
export class Keeper {
  readonly #platform: Platform;
  readonly #file: string;
  readonly #db: Low<StoredWorld | null>;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #dirty = false;
  #pause = GATHER_MS;

  constructor(platform: Platform, file: string) {
    this.#platform = platform;
    this.#file = file;
    this.#db = new Low<StoredWorld | null>(new WorldLines(file), null);
  }

  /**
   * Puts the file's world in place, if there is one, and watches for changes from then on.
   *
   * @throws {Error} where the file is not a saved world.
   */
  async load(): Promise<void> {
    await this.#db.read();
    if (this.#db.data !== null) await this.#restore(this.#db.data);
    this.#db.data = null;
    this.#platform.world.onChange(() => this.#plan());
  }

  /** Writes what has changed since the last save. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#dirty) return this.#writing;
    this.#dirty = false;
    this.#writing = this.#write(this.#writing);
    return this.#writing;
  }

  async #restore({ header, rows }: StoredWorld): Promise<void> {
    try {
      const restoration = this.#platform.restoring();
      for await (const [table, row] of rows) restoration.add(table, row);
      restoration.commit(header);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const told = `${this.#file} is not a saved sandbox world: ${error.message}; move the file away to start afresh`;
      throw new Error(told, { cause: error });
    }
  }

  async #write(before: Promise<void>): Promise<void> {
    await Promise.allSettled([before]);
    const started = performance.now();
    const { tables, ...header } = this.#platform.save();
    this.#db.data = { header, rows: rowsOf(tables) };
    try {
      await this.#db.write();
    } catch (error) {
      this.#dirty = true;
      throw error;
    } finally {
      this.#db.data = null;
      this.#pause = Math.max(GATHER_MS, REST * (performance.now() - started));
    }
  }

  #plan(): void {
    this.#dirty = true;
    this.#timer ??= setTimeout(() => {
      this.save().catch((error: unknown) =>
        this.#platform.feed.tell("fault", { message: String(error) }),
      );
    }, this.#pause);
  }
}

function* rowsOf(tables: SavedWorld["tables"]): Generator<StoredRow> {
  for (const [name, rows] of Object.entries(tables)) {
    for (const row of rows) yield [name, row];
  }
}
