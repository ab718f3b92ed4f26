import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../../../../system/error-message.ts";
import { syncFolder } from "../../../../system/files/sync-folder.ts";
import { StoreError } from "../../errors.ts";
import type { StoreMigration } from "../../written-by.ts";
import { type Database, openDatabase, sqliteCode } from "../binding.ts";
import { migrate, SCHEMA_VERSION } from "../schema.ts";
import { syncEachCommit } from "./sync-level.ts";

/**
 * Migrates a copy of the file, then replaces the file by that copy. A second copy, with the old content, stays in the
 * same folder as `store.version-N.db`.
 *
 * @param db Connection that holds the old file. Close it afterwards and open `path` again.
 * @param version Schema version of the file.
 * @throws {StoreError} if the copy can't be created or migrated. Then nothing has changed.
 */
export function migrateOnCopy(db: Database, path: string, version: number): StoreMigration {
  const copy = join(dirname(path), `store.version-${version}.db`);
  const next = `${path}.next`;
  copyTo(db, copy);
  try {
    // Empties the WAL. Otherwise SQLite would apply the old file's WAL to the new file.
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    rmSync(next, { force: true });
    copyFileSync(copy, next, constants.COPYFILE_EXCL);
    bringUp(next, version);
    sync(next);
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    rmSync(copy, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
  return { from: version, to: SCHEMA_VERSION, copy };
}

/** Copies the file, including the content of its WAL. */
function copyTo(db: Database, copy: string): void {
  const unfinished = `${copy}.next`;
  rmSync(unfinished, { force: true });
  // Created here with mode 0600, so that other users can never read it.
  closeSync(openSync(unfinished, "wx", 0o600));
  try {
    db.exec(`VACUUM INTO '${unfinished.replaceAll("'", "''")}'`);
    sync(unfinished);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  renameSync(unfinished, copy);
}

function bringUp(path: string, version: number): void {
  const db = openDatabase(path);
  try {
    // A failed copy is deleted, so no rollback journal on disk is needed.
    for (const pragma of ["journal_mode = MEMORY", "secure_delete = ON"])
      db.exec(`PRAGMA ${pragma}`);
    syncEachCommit(db);
    migrate(db);
  } catch (error) {
    throw isOfContent(error) ? failed(version, error) : error;
  } finally {
    db.close();
  }
}

/** Whether the store's content caused the error. False for disk errors, and for tables with an unexpected schema. */
function isOfContent(error: unknown): boolean {
  return [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH].includes(sqliteCode(error) ?? 0);
}

function failed(version: number, cause: unknown): StoreError {
  return new StoreError(
    "store-schema",
    `the store can't be migrated from schema version ${version} to ${SCHEMA_VERSION}: ${messageOf(cause)}`,
    {
      cause,
      hint: "nothing was changed; go on with the version that wrote it, or bring back a backup with: answerback restore FILE",
    },
  );
}

function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const SQLITE_ERROR = 1;
const SQLITE_CONSTRAINT = 19;
const SQLITE_MISMATCH = 20;
