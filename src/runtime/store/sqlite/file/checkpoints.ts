import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { type Database, sqliteCode } from "../binding.ts";

/** Result of a checkpoint: number of pages in the WAL, and number of these pages that are in the file, too. */
interface LogState {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * Controls when the WAL is checkpointed into the file: every {@link CHECKPOINT_PAGES} pages, sooner on a small volume,
 * and when the disk is full. Checkpoints are suspended while the file is being copied.
 */
export class Checkpoints {
  readonly #db: Database;
  readonly #everyPages: number;
  #held = false;
  #changedWhileHeld = false;

  /** @param path Path of the store's file. */
  constructor(db: Database, path: string, pageBytes: number) {
    this.#db = db;
    // If the WAL filled a small volume, its pages could not be copied into the file any more.
    const volume = bytesOfVolume(path);
    const pages = Math.floor(volume / SHARE_OF_VOLUME / pageBytes);
    this.#everyPages = Math.max(MIN_PAGES, Math.min(CHECKPOINT_PAGES, pages));
    db.exec(`PRAGMA wal_autocheckpoint = ${this.#everyPages}`);
    db.exec(
      `PRAGMA journal_size_limit = ${Math.min(LOG_BYTES, Math.floor(volume / SHARE_OF_VOLUME))}`,
    );
  }

  /**
   * Checkpoints the WAL and truncates it, to free disk space.
   *
   * @returns True if the checkpoint freed space.
   */
  makeRoom(): boolean {
    try {
      const { log = 0 } = this.#run("PASSIVE") ?? {};
      if (log === 0) return false;
      const after = this.#run("TRUNCATE");
      return after?.busy === 0;
    } catch (error) {
      // The file can't grow, or the disk failed, so no space can be freed.
      if (sqliteCode(error) === undefined) throw error;
      return false;
    }
  }

  /** Checkpoints the WAL, and keeps the file unchanged until {@link release}. */
  hold(): void {
    this.#run("TRUNCATE");
    this.#db.exec("PRAGMA wal_autocheckpoint = 0");
    this.#held = true;
    this.#changedWhileHeld = false;
  }

  /** Ends {@link hold}. @returns True if the file has not changed since `hold`. */
  release(): boolean {
    const stayed = this.#held && !this.#changedWhileHeld;
    if (this.#held) this.#db.exec(`PRAGMA wal_autocheckpoint = ${this.#everyPages}`);
    this.#held = false;
    return stayed;
  }

  /** Checkpoints the whole WAL and restarts it at its beginning. */
  restart(): void {
    this.#run("RESTART");
  }

  #run(mode: "PASSIVE" | "RESTART" | "TRUNCATE"): LogState | undefined {
    this.#changedWhileHeld = true;
    return this.#db.prepare<LogState>(`PRAGMA wal_checkpoint(${mode})`).get();
  }
}

/** Returns the size in bytes of the disk volume that contains a file; Infinity if the system does not report it. */
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
const MIN_PAGES = 64;
const LOG_BYTES = 64 * 1024 * 1024;
const SHARE_OF_VOLUME = 32;
