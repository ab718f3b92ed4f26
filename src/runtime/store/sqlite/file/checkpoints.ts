import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { type Database, sqliteCode } from "../binding.ts";

/** What is in the log of writes, of how many of its pages the file has by now. */
interface LogState {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * When what is in the log of writes goes into the file itself: every {@link CHECKPOINT_PAGES}, sooner on a
 * small volume, and when there is no room left. Not while somebody copies the file.
 */
export class Checkpoints {
  readonly #db: Database;
  readonly #everyPages: number;
  #held = false;
  #changedWhileHeld = false;

  /** @param path The file. */
  constructor(db: Database, path: string, pageBytes: number) {
    this.#db = db;
    // A log that fills a small volume leaves no room for its pages in the file.
    const volume = bytesOfVolume(path);
    const pages = Math.floor(volume / SHARE_OF_VOLUME / pageBytes);
    this.#everyPages = Math.max(LEAST_PAGES, Math.min(CHECKPOINT_PAGES, pages));
    db.exec(`PRAGMA wal_autocheckpoint = ${this.#everyPages}`);
    db.exec(
      `PRAGMA journal_size_limit = ${Math.min(LOG_BYTES, Math.floor(volume / SHARE_OF_VOLUME))}`,
    );
  }

  /**
   * Puts what the log holds into the file and gives the log's room back to the disk.
   *
   * @returns Whether that gave anything.
   */
  makeRoom(): boolean {
    try {
      const { log = 0 } = this.#run("PASSIVE") ?? {};
      if (log === 0) return false;
      const after = this.#run("TRUNCATE");
      return after?.busy === 0;
    } catch (error) {
      // The file has no room to grow, or the disk fails: then there is none to be had here.
      if (sqliteCode(error) === undefined) throw error;
      return false;
    }
  }

  /** Empties the log into the file, and leaves the file as it is until {@link release}. */
  hold(): void {
    this.#run("TRUNCATE");
    this.#db.exec("PRAGMA wal_autocheckpoint = 0");
    this.#held = true;
    this.#changedWhileHeld = false;
  }

  /** @returns Whether the file stayed as it was since {@link hold}. */
  release(): boolean {
    const stayed = this.#held && !this.#changedWhileHeld;
    if (this.#held) this.#db.exec(`PRAGMA wal_autocheckpoint = ${this.#everyPages}`);
    this.#held = false;
    return stayed;
  }

  /** Has everything that the log holds written to the file again, and the log begin anew. */
  restart(): void {
    this.#run("RESTART");
  }

  #run(mode: "PASSIVE" | "RESTART" | "TRUNCATE"): LogState | undefined {
    this.#changedWhileHeld = true;
    return this.#db.prepare<LogState>(`PRAGMA wal_checkpoint(${mode})`).get();
  }
}

/** Bytes of the disk that the file is on; Infinity where the system does not tell. */
function bytesOfVolume(path: string): number {
  try {
    const { bsize, blocks } = statfsSync(dirname(path));
    return bsize * blocks > 0 ? bsize * blocks : Infinity;
  } catch (error) {
    if (error instanceof Error) return Infinity;
    throw error;
  }
}

const CHECKPOINT_PAGES = 8_192;
const LEAST_PAGES = 64;
const LOG_BYTES = 64 * 1024 * 1024;
const SHARE_OF_VOLUME = 32;
