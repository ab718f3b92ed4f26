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
import { StoreError } from "../../errors.ts";
import type { StoreMigration } from "../../written-by.ts";
import { type Database, openDatabase, sqliteCode } from "../binding.ts";
import { migrate, SCHEMA_VERSION } from "../schema.ts";
import { syncEachCommit } from "./sync-level.ts";

/**
 * Brings a copy of the file up to today's tables, and puts the copy in the place of the file. Until then the file is
 * unchanged; afterwards it is kept beside the new one.
 *
 * @param db The file, held: its connection has to be closed afterwards, and the path opened again.
 * @param version The version that the file has.
 * @throws {StoreError} when the copy can't be made or brought up: then nothing has changed.
 */
export function migrateOnCopy(db: Database, path: string, version: number): StoreMigration {
  const copy = join(dirname(path), `store.version-${version}.db`);
  const next = `${path}.next`;
  copyTo(db, copy);
  try {
    // The new file would be read together with what the log of the old one holds.
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    rmSync(next, { force: true });
    copyFileSync(copy, next, constants.COPYFILE_EXCL);
    bringUp(next, version);
    sync(next);
    renameSync(next, path);
    sync(dirname(path));
  } catch (error) {
    rmSync(next, { force: true });
    rmSync(copy, { force: true });
    throw error;
  }
  return { from: version, to: SCHEMA_VERSION, copy };
}

/** Copies the file, with what its log holds. */
function copyTo(db: Database, copy: string): void {
  const unfinished = `${copy}.next`;
  rmSync(unfinished, { force: true });
  // Made here, so that nobody else may read it from its first byte.
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
    // What fails is thrown away, so nothing has to be undone.
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

/** Whether the content of the store is the cause, and neither the disk nor the shape of the tables. */
function isOfContent(error: unknown): boolean {
  return [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH].includes(sqliteCode(error) ?? 0);
}

function failed(version: number, cause: unknown): StoreError {
  return new StoreError(
    "store-schema",
    `it can't be brought up from schema version ${version} to ${SCHEMA_VERSION}: ${messageOf(cause)}`,
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
