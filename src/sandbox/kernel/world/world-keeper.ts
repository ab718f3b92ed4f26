import { rm, stat } from "node:fs/promises";
import { Low } from "lowdb";
import type { Platform } from "../platform.ts";
import type { StoredValues, Fact, JournalHead } from "./fact-journal.ts";
import { FactFile } from "./fact-file.ts";
import { journalFile, loadWorld } from "./load-world.ts";
import type { SavedWorld, WorldListener } from "./sandbox-world.ts";
import { type StoredRow, type StoredWorld, WorldFileAdapter } from "./world-file.ts";

/**
 * Size, in bytes, that a journal must reach before it is merged into the saved world. If the saved world is larger, the
 * journal must reach the size of the saved world.
 */
const MIN_JOURNAL_BYTES = 8 * 1024 * 1024;

/**
 * Stores a world on disk: a saved world, and a journal of the changes since.
 *
 * Stored data survives the end of the process. Rate limits, the feed and the list of deliveries are not stored.
 */
export class WorldKeeper implements WorldListener {
  readonly #platform: Platform;
  readonly #file: string;
  readonly #db: Low<StoredWorld | null>;
  #journal: FactFile | undefined;
  /** Number of the journal file that receives the changes. */
  #number = 0;
  /** Number of the oldest journal file that still exists. */
  #oldest = 1;
  #changes: Fact[] = [];
  #drawn = 0;
  /** Whether a reset or restore has replaced the world, so that the journal's changes no longer apply to it. */
  #isReplaced = false;
  #replacing: Promise<void> | undefined;
  #later: NodeJS.Immediate | undefined;
  /** Chain of saves, which run one after the other. */
  #saves: Promise<unknown> = Promise.resolve();
  #isSaving = false;
  readonly #leastBytes: number;
  #saveAtBytes: number;

  /** @param leastBytes Size that a journal must reach before it is merged into the saved world. */
  constructor(platform: Platform, file: string, leastBytes = MIN_JOURNAL_BYTES) {
    this.#platform = platform;
    this.#file = file;
    this.#leastBytes = leastBytes;
    this.#saveAtBytes = leastBytes;
    this.#db = new Low<StoredWorld | null>(new WorldFileAdapter(file), null);
  }

  /**
   * Restores the world from disk, if there is one, and records every later change.
   *
   * @throws {Error} naming file and line if the file is not a saved world.
   */
  async load(): Promise<void> {
    await this.#db.read();
    const { journal, oldest, bytes, base, savedBytes } = await loadWorld(
      this.#platform,
      this.#file,
      this.#db.data,
    );
    this.#db.data = null;
    this.#oldest = oldest;
    this.#saveAtBytes = Math.max(this.#leastBytes, savedBytes);
    if (bytes === 0) this.#begin(journal, base);
    else {
      this.#journal = new FactFile(journalFile(this.#file, journal), bytes);
      this.#number = journal;
    }
    const { world } = this.#platform;
    this.#drawn = world.random.drawn;
    world.follow(this);
  }

  rowPut(table: string, row: object): void {
    this.#add([table, row]);
  }

  rowDeleted(table: string, key: string): void {
    this.#add([table, null, key]);
  }

  /** Stores a change of the clock, the draw count, the settings or the faults. */
  valuesChanged(aside: StoredValues): void {
    this.#add(["", aside]);
  }

  replaced(): void {
    this.#isReplaced = true;
    this.#keepSoon();
  }

  /**
   * Writes the recorded changes to disk. Must finish before any client sees the changes.
   *
   * @returns a promise if the whole world was replaced.
   * @throws {Error} if the disk refuses; the next call writes the changes again.
   */
  persist(): void | Promise<void> {
    if (this.#isReplaced) {
      this.#replacing ??= this.#saveReplaced().finally(() => (this.#replacing = undefined));
    } else this.#append();
    return this.#replacing;
  }

  /** Saves the whole world in one file, without a journal, and closes the store. */
  async close(): Promise<void> {
    clearImmediate(this.#later);
    await this.#save("closed");
    this.#journal?.close();
    this.#journal = undefined;
  }

  #add(change: Fact): void {
    this.#changes.push(change);
    this.#keepSoon();
  }

  /** Schedules the persisting of changes for which no request waits, such as the result of a delivery. */
  #keepSoon(): void {
    this.#later ??= setImmediate(() => {
      this.#later = undefined;
      new Promise<void>((resolve) => resolve(this.persist())).catch(this.#report);
    });
  }

  readonly #report = (error: unknown): void =>
    this.#platform.feed.publish("fault", { message: String(error) });

  #append(): void {
    if (this.#changes.length === 0 || this.#journal === undefined) return;
    const { drawn } = this.#platform.world.random;
    const aside: Fact[] = drawn === this.#drawn ? [] : [["", { drawn }]];
    this.#journal.append(`${JSON.stringify([...this.#changes, ...aside])}\n`);
    this.#changes = [];
    this.#drawn = drawn;
    if (this.#journal.bytes < this.#saveAtBytes || this.#isSaving) return;
    this.#isSaving = true;
    // After a failed save, the journal must grow by another `leastBytes` before the next attempt.
    this.#saveAtBytes = this.#journal.bytes + this.#leastBytes;
    void this.#save("grown")
      .catch(this.#report)
      .finally(() => (this.#isSaving = false));
  }

  async #saveReplaced(): Promise<void> {
    while (this.#isReplaced) await this.#save("replaced");
  }

  /** Begins a journal. @throws {Error} if the disk refuses; then the previous journal stays in use. */
  #begin(number: number, base: JournalHead["base"]): void {
    const { world, time } = this.#platform;
    const head = { journal: number, base, ...world.header(time.state()) };
    const next = new FactFile(journalFile(this.#file, number), 0);
    next.append(`${JSON.stringify(head)}\n`);
    this.#journal?.close();
    this.#journal = next;
    this.#number = number;
    this.#drawn = world.random.drawn;
  }

  #save(why: SaveReason): Promise<void> {
    const saved = this.#saves.then(() => this.#saveNow(why));
    this.#saves = saved.catch(() => undefined);
    return saved;
  }

  /** Writes the world in its current state; changes during the write go into the next journal. */
  async #saveNow(why: SaveReason): Promise<void> {
    const isReplaced = this.#isReplaced;
    if (!isReplaced) this.#append();
    const journal = this.#number + 1;
    const { tables, ...header } = this.#platform.save();
    const beside = { journal, ...this.#platform.asides() };
    const closed = why === "closed" ? { closed: true } : {};
    this.#db.data = { header: { ...header, ...beside, ...closed }, rows: rowsOf(tables) };
    if (why !== "closed") this.#begin(journal, isReplaced ? "replaced" : "before");
    this.#isReplaced = false;
    this.#changes = [];
    try {
      await this.#db.write();
    } catch (error) {
      this.#isReplaced ||= isReplaced;
      throw error;
    } finally {
      this.#db.data = null;
    }
    for (; this.#oldest < journal; this.#oldest += 1) {
      await rm(journalFile(this.#file, this.#oldest), { force: true });
    }
    this.#saveAtBytes = Math.max(this.#leastBytes, (await stat(this.#file)).size);
  }
}

type SaveReason = "grown" | "replaced" | "closed";

function* rowsOf(tables: SavedWorld["tables"]): Generator<StoredRow> {
  for (const [name, rows] of Object.entries(tables)) {
    for (const row of rows) yield [name, row];
  }
}
