import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { StoreError } from "../../errors.ts";
import { type Database, openDatabase } from "../binding.ts";
import { faultOf } from "../group.ts";
import { versionOf } from "../schema.ts";

/** What a backup says of itself. */
export interface BackupAbout {
  /** When the store was as it is in the backup, in milliseconds since the epoch by the platform's clock. */
  readonly takenAt: number;
  /** Entries of the journal, and items. */
  readonly entries: number;
  readonly items: number;
  /** What is in it beside the store. */
  readonly files: readonly string[];
}

const TABLES = `
  CREATE TABLE backup_about (about TEXT NOT NULL);
  CREATE TABLE backup_files (name TEXT, part INTEGER, text TEXT, PRIMARY KEY (name, part)) WITHOUT ROWID;`;

/**
 * Makes a backup of a copy of a store's file: the other files go into tables of their own, so that it is one
 * file, which any SQLite opens.
 *
 * @param folder Where the files are.
 */
export async function completeBackup(
  path: string,
  folder: string,
  about: BackupAbout,
): Promise<void> {
  const db = openDatabase(path);
  try {
    // One file from here on, without a log beside it.
    db.exec("PRAGMA journal_mode = DELETE");
    db.exec("PRAGMA synchronous = FULL");
    db.exec(`BEGIN IMMEDIATE; ${TABLES}`);
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
 * Reads a backup through, from end to end.
 *
 * @returns What it says of itself, which is so.
 * @throws {StoreError} `store-corrupt` when it is damaged or no backup, `store-schema` when it is of a newer
 *   version.
 */
export function checkBackup(path: string): BackupAbout {
  const db = openDatabase(path);
  try {
    const about = aboutOf(db, path);
    versionOf(db);
    const one = (sql: string): unknown => Object.values(db.prepare<object>(sql).get() ?? {})[0];
    const found = one("PRAGMA integrity_check(1)");
    if (found !== "ok") throw noBackup(path, `is damaged: ${String(found)}`);
    for (const [table, count] of [
      ["journal", about.entries],
      ["items", about.items],
    ] as const) {
      const rows = one(`SELECT count(*) FROM ${table}`);
      if (rows !== count) {
        throw noBackup(path, `is not whole: ${String(rows)} of ${count} rows of ${table}`);
      }
    }
    return about;
  } catch (error) {
    throw asStoreError(error, path);
  } finally {
    db.close();
  }
}

/** Writes one of a backup's files, readable by its owner only. */
export async function writeOut(db: Database, name: string, target: string): Promise<void> {
  const part = db.prepare<{ text: string }>(
    "SELECT text FROM backup_files WHERE name = ? AND part = ?",
  );
  const file = await open(target, "wx", 0o600);
  try {
    for (let n = 0, row = part.get(name, n); row !== undefined; row = part.get(name, ++n)) {
      await file.write(row.text);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A fault of SQLite in a backup's file, in words. */
export function asStoreError(error: unknown, path: string): unknown {
  const { code, message, hint } = faultOf(error);
  if (error instanceof StoreError || code === "store-data") return error;
  if (code === "store-corrupt") return noBackup(path, "is damaged, or no backup");
  return new StoreError(code, `${path}: ${message}`, { cause: error, hint });
}

function aboutOf(db: Database, path: string): BackupAbout {
  const isBackup = db.prepare<{ n: number }>(
    "SELECT count(*) AS n FROM sqlite_master WHERE name = 'backup_about'",
  );
  if (isBackup.get()?.n !== 1) throw noBackup(path, "is no backup of Answerback");
  const row = db.prepare<{ about: string }>("SELECT about FROM backup_about").get();
  if (row === undefined) throw noBackup(path, "is not whole");
  return JSON.parse(row.about) as BackupAbout;
}

function noBackup(path: string, what: string): StoreError {
  return new StoreError("store-corrupt", `${path} ${what}`, {
    hint: "name a file that answerback backup has written",
  });
}

const READING = { encoding: "utf8", highWaterMark: 1024 * 1024 } as const;
