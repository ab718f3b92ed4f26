import * as z from "zod";
import { StoreError } from "../../errors.ts";
import type { Database } from "../binding.ts";
import { BACKUP_FILES } from "./backup-names.ts";

const aboutSchema = z.object({
  /** Time of the copied state, in milliseconds since the epoch by the platform's clock. */
  takenAt: z.number().int().min(0).max(8.64e15),
  /** Number of journal entries in the backup. */
  entries: z.number().int().min(0),
  items: z.number().int().min(0),
  /** Names of the files that the backup contains besides the store. */
  files: z
    .array(z.enum(BACKUP_FILES))
    .refine((files) => new Set(files).size === files.length)
    .readonly(),
});

/** Description that a backup contains of itself: when it was taken, and what it holds. */
export type BackupAbout = Readonly<z.infer<typeof aboutSchema>>;

/** Maximum size in bytes of one part of a file. A backup stores its other files in such parts. */
export const MAX_PART_BYTES = 1024 * 1024;

/**
 * Maximum bytes of a part in its stored form, which may be longer: a byte that is not UTF-8 is stored as three bytes.
 */
const MAX_STORED_BYTES = 4 * MAX_PART_BYTES;

/** Definitions of the tables that only a backup has, as SQLite stores them. */
export const BACKUP_TABLES = {
  backup_about: "CREATE TABLE backup_about (about TEXT NOT NULL)",
  backup_files:
    "CREATE TABLE backup_files (name TEXT, part INTEGER, text TEXT, PRIMARY KEY (name, part)) WITHOUT ROWID",
} as const;

/**
 * Reads a backup's description and compares it with the files in the backup.
 *
 * The backup may come from an untrusted source. It must have the tables of {@link BACKUP_TABLES}, and only files of
 * {@link BACKUP_FILES}, with all their parts. It must have no triggers or views, which would run during a restore.
 *
 * @param path Path of the backup, for messages.
 * @throws {StoreError} `store-corrupt` if the backup does not meet these conditions.
 */
export function contentsOf(db: Database, path: string): BackupAbout {
  checkSchema(db, path);
  const rows = db.prepare<{ about: string }>("SELECT about FROM backup_about LIMIT 2").all();
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw noBackup(path, "is not whole");
  const about = readAbout(row.about, path);
  const held = db.prepare<HeldFile>(HELD_FILES).all(MAX_STORED_BYTES);
  for (const { name, isWhole } of held) {
    if (!about.files.some((file) => file === name)) throw noBackup(path, FOREIGN_FILES);
    if (isWhole !== 1) throw noBackup(path, `is not whole: ${String(name)}`);
  }
  return about;
}

/** Error for a file that is no backup, or whose contents differ from what `backup` writes. */
export function noBackup(path: string, what: string): StoreError {
  return new StoreError("store-corrupt", `${path} ${what}`, {
    hint: "name a file that answerback backup has written",
  });
}

interface HeldFile {
  readonly name: unknown;
  readonly isWhole: number;
}

/** SQL query that lists the files of a backup, each with whether its parts are complete. An empty file has no rows. */
const HELD_FILES = `
  SELECT name, count(*) = max(part) + 1 AND min(part) = 0
    AND min(typeof(text) = 'text' AND typeof(part) = 'integer' AND length(CAST(text AS BLOB)) <= ?) AS isWhole
  FROM backup_files GROUP BY name`;

function checkSchema(db: Database, path: string): void {
  const definition = db.prepare<{ sql: string }>("SELECT sql FROM sqlite_master WHERE name = ?");
  for (const [name, sql] of Object.entries(BACKUP_TABLES)) {
    if (definition.get(name)?.sql !== sql) throw noBackup(path, "is no backup of Answerback");
  }
  const active = db.prepare("SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')");
  if (active.get() !== undefined) throw noBackup(path, "has a trigger or a view: no backup does");
}

function readAbout(text: string, path: string): BackupAbout {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw noBackup(path, "is not whole");
  }
  const read = aboutSchema.safeParse(content);
  if (read.success) return read.data;
  const isOfFiles = read.error.issues.some(({ path: [key] }) => key === "files");
  throw noBackup(path, isOfFiles ? FOREIGN_FILES : "is not whole");
}

const FOREIGN_FILES = `lists files that no backup has: it may hold ${BACKUP_FILES.join(", ")}, each once`;
