import { join } from "node:path";
import { RESTORED_FROM } from "../restored.ts";
import { StoreError } from "../errors.ts";
import { movedError, MOVED_TO } from "../moved.ts";
import { type Database, openDatabase } from "../sqlite/binding.ts";
import { checkPresence, noteClosed } from "../sqlite/file/identity.ts";
import { checkSoundness } from "../sqlite/file/soundness.ts";
import { faultOf } from "../sqlite/group.ts";
import { checkShape, SCHEMA_VERSION, versionOf } from "../sqlite/schema.ts";

/** The store of a folder, which nobody else can open meanwhile. */
export interface HeldFolder {
  readonly db: Database;
  readonly id: string;
  /** Where it was moved to before; undefined where it was not. */
  readonly movedTo: string | undefined;
  /** Notes where it went, to be kept by {@link keepMark}. */
  mark(to: string): void;
  keepMark(): void;
  close(): void;
}

/**
 * Takes the store of a bot that does not run.
 *
 * @throws {StoreError} `store-locked` when a runtime holds it, `store-gone` or `store-corrupt` when it is not whole,
 *   `store-schema` when it is of another version.
 */
export async function holdFolder(folder: string): Promise<HeldFolder> {
  const path = join(folder, "store.db");
  const known = await checkPresence(folder);
  const db = openDatabase(path);
  try {
    // Before the first access to the WAL: then the lock is held for good.
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
        // The log of writes of a bot that was killed goes into the file.
        if (known !== undefined) noteClosed(folder, id);
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

/** @throws {StoreError} when it was moved before. */
export function refuseMovedFolder({ movedTo }: HeldFolder, folder: string): void {
  if (movedTo !== undefined) throw movedError(`file:${folder}`, movedTo);
}

function checkVersion(version: number): void {
  if (version === SCHEMA_VERSION) return;
  throw new StoreError(
    "store-schema",
    `the store has schema version ${version}, and is to be brought up to ${SCHEMA_VERSION} before it is moved`,
    { hint: "start the bot once, and stop it: answerback run" },
  );
}

/** A store that was brought back does not know yet what was sent meanwhile. */
export function notTakenUp(place: string): StoreError {
  return new StoreError(
    "store-locked",
    `${place} was brought back from a backup and not started since`,
    {
      hint: "start the bot once where it is, so that it marks what may have been sent, and stop it",
    },
  );
}
