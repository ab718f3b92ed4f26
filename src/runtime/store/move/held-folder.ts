import { join } from "node:path";
import { RESTORED_FROM } from "../restored.ts";
import { StoreError } from "../errors.ts";
import { olderSchema } from "../written-by.ts";
import { movedError, MOVED_TO } from "../moved.ts";
import { type Database, openDatabase } from "../sqlite/binding.ts";
import { checkPresence, noteClosed } from "../sqlite/file/identity.ts";
import { checkSoundness } from "../sqlite/file/soundness.ts";
import { faultOf } from "../sqlite/group.ts";
import { checkShape, SCHEMA_VERSION, versionOf } from "../sqlite/schema.ts";

/** Store in a folder, locked against other processes. */
export interface HeldFolder {
  readonly db: Database;
  readonly id: string;
  /** Place to which the store was moved before; undefined if it was not moved. */
  readonly movedTo: string | undefined;
  /** Writes the new place of the store into this store, in a transaction that {@link keepMark} commits. */
  mark(to: string): void;
  keepMark(): void;
  close(): void;
}

/**
 * Locks the store of a bot that is not running.
 *
 * @throws {StoreError} `store-locked` if a runtime uses the store or it was restored and not started yet, `store-gone`
 *   or `store-corrupt` if files are missing or damaged, `store-schema` or `store-old` if the store has another schema version.
 */
export async function holdFolder(folder: string): Promise<HeldFolder> {
  const path = join(folder, "store.db");
  const identity = await checkPresence(folder);
  const db = openDatabase(path);
  try {
    // Set before the first access to the WAL, so that SQLite keeps the exclusive lock until the database is closed.
    for (const pragma of ["locking_mode = EXCLUSIVE", "busy_timeout = 0", "synchronous = FULL"]) {
      db.exec(`PRAGMA ${pragma}`);
    }
    db.exec("BEGIN IMMEDIATE; COMMIT");
    checkVersion(versionOf(db));
    checkSoundness(db, path);
    checkShape(db, SCHEMA_VERSION);
    const meta = (name: string): string | undefined =>
      db.prepare<{ value: string }>("SELECT value FROM meta WHERE name = ?").get(name)?.value;
    if (meta(RESTORED_FROM) !== undefined) throw notTakenUp(folder);
    const id = meta("store-id") ?? "";
    let isMarked = false;
    return {
      db,
      id,
      movedTo: meta(MOVED_TO),
      mark(to) {
        if (isMarked) return;
        db.exec("BEGIN IMMEDIATE");
        isMarked = true;
        db.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)").run(MOVED_TO, to);
      },
      keepMark: () => db.exec("COMMIT"),
      close() {
        // Closing the database checkpoints the WAL that a killed bot left behind.
        if (identity !== undefined) noteClosed(folder, id);
        db.close();
      },
    };
  } catch (error) {
    db.close();
    if (error instanceof StoreError) throw error;
    const { code, message, hint } = faultOf(error);
    throw new StoreError(code, `${path}: ${message}`, { cause: error, hint });
  }
}

/** @throws {StoreError} if the store was moved before. */
export function refuseMovedFolder({ movedTo }: HeldFolder, folder: string): void {
  if (movedTo !== undefined) throw movedError(`file:${folder}`, movedTo);
}

function checkVersion(version: number): void {
  if (version === SCHEMA_VERSION) return;
  throw olderSchema({ stored: version, ours: SCHEMA_VERSION }, "it is moved");
}

/** Error for a restored store that was not started yet. A start marks the items that may have been sent already. */
export function notTakenUp(place: string): StoreError {
  return new StoreError(
    "store-locked",
    `${place} was restored from a backup and has not been started since`,
    {
      hint: "start the bot once with the current store, so that it marks answers that may have been sent, then stop it",
    },
  );
}
