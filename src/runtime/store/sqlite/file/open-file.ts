import { StoreError } from "../../errors.ts";
import { type Database, openDatabase } from "../binding.ts";
import type { StoreThreadOptions } from "../calls.ts";
import { checkShape, isOlder, migrate, SCHEMA_VERSION, versionOf } from "../schema.ts";
import type { StoreMigration } from "../../written-by.ts";
import { migrateOnCopy } from "./migration-copy.ts";
import { checkSoundness } from "./soundness.ts";
import { syncEachCommit } from "./sync-level.ts";

/** A file that this process holds, with today's tables. */
export interface OpenedFile {
  readonly db: Database;
  /** Absent: the file had today's tables already, or was new. */
  readonly migrated: StoreMigration | undefined;
}

/**
 * Takes the file for this process, and readies its tables. A file that is refused is left unchanged.
 *
 * @throws {StoreError} when a newer version wrote it, its tables are not those of its version, or it is damaged.
 */
export function openFile({
  path,
  readOnly = false,
}: Pick<StoreThreadOptions, "path" | "readOnly">): OpenedFile {
  let db = held(path);
  try {
    const version = versionOf(db);
    checkSoundness(db, path);
    checkShape(db, version);
    if (readOnly) onlyToBeRead(db, version);
    let migrated: StoreMigration | undefined;
    if (isOlder(version) && !readOnly) {
      migrated = migrateOnCopy(db, path, version);
      db.close();
      db = held(path);
    } else if (!readOnly) migrate(db);
    return { db, migrated };
  } catch (error) {
    db.close();
    throw error;
  }
}

function held(path: string): Database {
  const db = openDatabase(path);
  try {
    for (const pragma of [
      `page_size = ${PAGE_BYTES}`,
      // Before the first access to the WAL: then the lock is held for good and no -shm file is made.
      "locking_mode = EXCLUSIVE",
      "journal_mode = WAL",
      "busy_timeout = 0",
      `cache_size = -${CACHE_KIB}`,
      // What is deleted is overwritten: a person's words that are to be forgotten must not stay in the file.
      "secure_delete = ON",
    ]) {
      db.exec(`PRAGMA ${pragma}`);
    }
    syncEachCommit(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * From here on a write is an error.
 *
 * @throws {StoreError} `store-schema` for the tables of another version.
 */
function onlyToBeRead(db: Database, version: number): void {
  if (version !== SCHEMA_VERSION) {
    throw new StoreError(
      "store-schema",
      `the store has schema version ${version}, and is to be brought up to ${SCHEMA_VERSION} before it can be read`,
      { hint: "start the bot once: answerback run, or answerback dev" },
    );
  }
  db.exec("PRAGMA query_only = ON");
}

const CACHE_KIB = 65_536;
/**
 * Small, since a change of a few bytes is written as a page: an answer touches some twenty. A body that
 * fills more than one goes on in pages of its own, and costs no more for it.
 */
export const PAGE_BYTES = 2_048;
