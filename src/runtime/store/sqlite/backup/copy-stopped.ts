import { join } from "node:path";
import { StoreError } from "../../errors.ts";
import { type Database, openDatabase } from "../binding.ts";
import { checkPresence } from "../file/identity.ts";
import { faultOf } from "../group.ts";
import { checkShape, SCHEMA_VERSION, versionOf } from "../schema.ts";
import { olderSchema } from "../../written-by.ts";

/** Numbers of rows in a store. */
export interface StoreCounts {
  readonly entries: number;
  readonly items: number;
}

/**
 * Copies the store of a stopped bot. An exclusive lock prevents a bot from opening the store during the copy.
 *
 * @param target An empty file.
 * @throws {StoreError} `store-locked` if a runtime uses the store, `store-gone` or `store-corrupt` if files are missing
 *   or damaged, `store-old` if it has no tables.
 */
export async function copyStopped(folder: string, target: string): Promise<StoreCounts> {
  await checkPresence(folder);
  return withStopped(folder, (db) => {
    const version = versionOf(db);
    checkShape(db, version);
    if (version === 0) throw olderSchema({ stored: 0, ours: SCHEMA_VERSION }, "it is copied");
    db.exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`);
    const count = (table: string): number =>
      db.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
    return { entries: count("journal"), items: count("items") };
  });
}

/** Checks that no runtime uses the store of `folder`. @throws {StoreError} `store-locked` if one does. */
export function checkStopped(folder: string): void {
  try {
    withStopped(folder, () => {});
  } catch (error) {
    // Other errors mean that the file is damaged. No runtime holds a damaged file.
    if (!(error instanceof StoreError) || error.code === "store-locked") throw error;
  }
}

function withStopped<T>(folder: string, work: (db: Database) => T): T {
  const path = join(folder, "store.db");
  const db = openDatabase(path);
  try {
    db.exec("PRAGMA locking_mode = EXCLUSIVE");
    db.exec("PRAGMA busy_timeout = 0");
    db.exec("BEGIN IMMEDIATE; COMMIT");
    return work(db);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { code, message, hint } = faultOf(error);
    throw new StoreError(code, `${path}: ${message}`, { cause: error, hint });
  } finally {
    db.close();
  }
}
