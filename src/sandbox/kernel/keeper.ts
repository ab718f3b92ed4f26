import { Low } from "lowdb";
import { WorldLines } from "./saved-file.ts";
import type { Platform } from "./platform.ts";
import type { SavedWorld } from "./world.ts";

/** How long changes gather before they are written. */
const GATHER_MS = 1_000;

/** Keeps a world in a file: loads it once, saves it a moment after changes and at the end. */
export class Keeper {
  readonly #platform: Platform;
  readonly #db: Low<SavedWorld | null>;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #dirty = false;

  constructor(platform: Platform, file: string) {
    this.#platform = platform;
    this.#db = new Low<SavedWorld | null>(new WorldLines(file), null);
  }

  /**
   * Puts the file's world in place, if there is one, and watches for changes from then on.
   *
   * @throws {Error} where the file is not a saved world.
   */
  async load(): Promise<void> {
    await this.#db.read();
    if (this.#db.data !== null) this.#platform.restore(this.#db.data);
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

  async #write(before: Promise<void>): Promise<void> {
    await before;
    this.#db.data = this.#platform.save();
    await this.#db.write();
    this.#db.data = null;
  }

  #plan(): void {
    this.#dirty = true;
    this.#timer ??= setTimeout(() => {
      this.save().catch((error: unknown) =>
        this.#platform.feed.tell("fault", { message: String(error) }),
      );
    }, GATHER_MS);
  }
}
