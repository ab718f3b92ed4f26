import { type Database, openDatabase } from "../binding.ts";
import type { StoreThreadOptions } from "../calls.ts";
import { checkShape, isOlder, migrate, SCHEMA_VERSION, versionOf } from "../schema.ts";
import { olderSchema, type StoreMigration } from "../../written-by.ts";
import { migrateOnCopy } from "./migration-copy.ts";
import { checkSoundness } from "./soundness.ts";
import { syncEachCommit } from "./sync-level.ts";

/** Database file that this process has locked, with tables of the current version. */
export interface OpenedFile {
  readonly db: Database;
  /** Migration of the tables; undefined if the file was new or already had the current version. */
  readonly migrated: StoreMigration | undefined;
}

/**
 * Locks the file for this process, and migrates its tables. If it throws, the file is unchanged.
 *
 * @throws {StoreError} if a newer version wrote the file, its tables don't match its schema version, or it is damaged.
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
      // Set before the first access to the WAL, so that SQLite keeps the lock until close, and creates no -shm file.
      "locking_mode = EXCLUSIVE",
      "journal_mode = WAL",
      "busy_timeout = 0",
      `cache_size = -${CACHE_KIB}`,
      // Deleted content is overwritten: texts of a forgotten person must not stay in the file.
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
 * Makes every later write fail, for a store that may only be read.
 *
 * @throws {StoreError} `store-old` for tables of an older version, or none.
 */
function onlyToBeRead(db: Database, version: number): void {
  const schema = { stored: version, ours: SCHEMA_VERSION };
  if (version !== SCHEMA_VERSION) throw olderSchema(schema, "it can be read");
  db.exec("PRAGMA query_only = ON");
}

const CACHE_KIB = 65_536;
/**
 * Page size of the database. Small, because a change of a few bytes writes a whole page, and an answer changes about
 * twenty pages. The body of an event that is larger than a page continues in overflow pages, without extra cost.
 */
export const PAGE_BYTES = 2_048;
