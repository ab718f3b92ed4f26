import { Low } from "lowdb";
import type { Platform } from "../platform.ts";
import { ApiError } from "../http/api-error.ts";
import { type StoredRow, type StoredWorld, WorldFileAdapter } from "./world-file.ts";
import type { SavedWorld } from "./sandbox-world.ts";

/** How long changes are collected before they are written, at least. */
const MIN_DELAY_MS = 1_000;

/** The next save waits this many times as long as the last one took, so that a large busy world is not only saving. */
const DELAY_FACTOR = 5;

/** Keeps a world in a file: loads it once, saves it shortly after changes and at the end. */
export class Autosave {
  readonly #platform: Platform;
  readonly #file: string;
  readonly #db: Low<StoredWorld | null>;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #dirty = false;
  #delay = MIN_DELAY_MS;

  constructor(platform: Platform, file: string) {
    this.#platform = platform;
    this.#file = file;
    this.#db = new Low<StoredWorld | null>(new WorldFileAdapter(file), null);
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
    this.#platform.world.onChange(() => this.#scheduleSave());
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
      const restore = this.#platform.beginRestore();
      for await (const [table, row] of rows) restore.add(table, row);
      restore.commit(header);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const message = `${this.#file} is not a saved sandbox world: ${error.message}; move the file away to start afresh`;
      throw new Error(message, { cause: error });
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
      this.#delay = Math.max(MIN_DELAY_MS, DELAY_FACTOR * (performance.now() - started));
    }
  }

  #scheduleSave(): void {
    this.#dirty = true;
    this.#timer ??= setTimeout(() => {
      this.save().catch((error: unknown) =>
        this.#platform.feed.publish("fault", { message: String(error) }),
      );
    }, this.#delay);
  }
}

function* rowsOf(tables: SavedWorld["tables"]): Generator<StoredRow> {
  for (const [name, rows] of Object.entries(tables)) {
    for (const row of rows) yield [name, row];
  }
}
