import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissingFile } from "../../../../system/files/missing-file.ts";
import { StoreError } from "../../errors.ts";
import { type Database, openDatabase } from "../binding.ts";
import { faultOf } from "../group.ts";
import { checkShape, versionOf } from "../schema.ts";
import {
  BACKUP_TABLES,
  type BackupAbout,
  contentsOf,
  MAX_PART_BYTES,
  noBackup,
} from "./backup-contents.ts";
import type { BackupFileName } from "./backup-names.ts";
import { syncFile } from "../../../../system/files/own-file.ts";

/**
 * Turns a copy of a store's file into a backup. Other files, such as the linked accounts, are added in extra tables, so
 * that the backup is one file that any SQLite program can open.
 *
 * @param path The copy, which becomes the backup.
 * @param folder Folder with the other files, which `about.files` lists.
 */
export async function completeBackup(
  path: string,
  folder: string,
  about: BackupAbout,
): Promise<void> {
  const db = openDatabase(path);
  try {
    // The backup must be one file, without a separate WAL file.
    db.exec("PRAGMA journal_mode = DELETE");
    db.exec("PRAGMA synchronous = FULL");
    db.exec(`BEGIN IMMEDIATE; ${Object.values(BACKUP_TABLES).join(";")}`);
    const put = db.prepare("INSERT INTO backup_files (name, part, text) VALUES (?, ?, ?)");
    for (const name of about.files) {
      let part = 0;
      for await (const text of createReadStream(join(folder, name), READING)) {
        put.run(name, part++, String(text));
      }
    }
    db.prepare("INSERT INTO backup_about (about) VALUES (?)").run(JSON.stringify(about));
    db.exec("COMMIT");
  } catch (error) {
    throw asStoreError(error, path);
  } finally {
    db.close();
  }
}

/**
 * Reads a whole backup and checks it.
 *
 * @param shown Path for messages.
 * @returns The description that the backup contains, which was verified.
 * @throws {StoreError} `store-corrupt` if the file is damaged or no backup, `store-schema` if a newer version wrote the
 *   backup or its tables don't match its schema version.
 */
export async function checkBackup(path: string, shown = path): Promise<BackupAbout> {
  if (!(await isFile(path))) throw noBackup(shown, "is no file");
  const db = openDatabase(path);
  try {
    const about = contentsOf(db, shown);
    checkShape(db, versionOf(db), Object.keys(BACKUP_TABLES));
    const one = (sql: string): unknown => Object.values(db.prepare<object>(sql).get() ?? {})[0];
    const result = one("PRAGMA integrity_check(1)");
    if (result !== "ok") throw noBackup(shown, `is damaged: ${String(result)}`);
    for (const [table, count] of [
      ["journal", about.entries],
      ["items", about.items],
    ] as const) {
      const rows = one(`SELECT count(*) FROM ${table}`);
      if (rows !== count) {
        throw noBackup(shown, `is not whole: ${String(rows)} of ${count} rows of ${table}`);
      }
    }
    return about;
  } catch (error) {
    throw asStoreError(error, shown);
  } finally {
    db.close();
  }
}

/** Writes one file of a backup to `target`, readable by its owner only. */
export async function writeOut(db: Database, name: BackupFileName, target: string): Promise<void> {
  const part = db.prepare<{ text: string }>(
    "SELECT text FROM backup_files WHERE name = ? AND part = ?",
  );
  const file = await open(target, "wx", 0o600);
  try {
    for (let n = 0, row = part.get(name, n); row !== undefined; row = part.get(name, ++n)) {
      await file.write(row.text);
    }
    await syncFile(file);
  } finally {
    await file.close();
  }
}

/** Converts an error of SQLite in a backup's file to a `StoreError` with the path. Returns other errors unchanged. */
export function asStoreError(error: unknown, path: string): unknown {
  const { code, message, hint } = faultOf(error);
  if (error instanceof StoreError || code === "store-data") return error;
  if (code === "store-corrupt") return noBackup(path, "is damaged, or no backup");
  return new StoreError(code, `${path}: ${message}`, { cause: error, hint });
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isMissingFile(error)) return false;
    throw error;
  }
}

const READING = { encoding: "utf8", highWaterMark: MAX_PART_BYTES } as const;
