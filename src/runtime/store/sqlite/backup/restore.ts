import { chmod, copyFile, lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../binding.ts";
import { writeIdentity } from "../file/identity.ts";
import { RESTORED_FROM } from "../../restored.ts";
import { StoreError } from "../../errors.ts";
import { isMissingFile } from "../../../../system/missing-file.ts";
import { type BackupAbout, contentsOf } from "./backup-contents.ts";
import { asStoreError, checkBackup, writeOut } from "./backup-file.ts";
import { BACKUP_FILES, replacedBy } from "./backup-names.ts";
import { checkStopped } from "./copy-stopped.ts";

export interface RestoreRequest {
  readonly backup: string;
  /** Data folder. */
  readonly folder: string;
  /** Name of the folder within it that gets what was there. */
  readonly asideName: string;
}

export interface RestoredStore {
  readonly about: BackupAbout;
  /** Where the files are that were there; undefined where there were none. */
  readonly aside: string | undefined;
}

/**
 * Puts a backup in the place of what is in a data folder, which is kept aside.
 *
 * What ends it in the middle leaves a folder whose store is told to be gone, and everything aside.
 *
 * @throws {StoreError} when the backup can't be used, or a runtime holds the store: then nothing has changed.
 */
export async function restoreStore(request: RestoreRequest): Promise<RestoredStore> {
  const { backup, folder, asideName } = request;
  await checkBackup(backup);
  await refuseForeign(folder, asideName);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).includes("store.db")) checkStopped(folder);
  const next = join(folder, NEXT);
  const { id, about } = await copied(backup, next);
  // By now the log of a bot that was killed is in its file.
  const names = await readdir(folder);
  const taken: readonly string[] = replacedBy(about.files);
  const replaced = names.filter((name) => isStores(name) || taken.includes(name));
  const aside = join(folder, asideName);
  await moveAside(folder, id, replaced, aside);
  await writeFiles(next, folder, about);
  await rename(next, join(folder, "store.db"));
  return { about, aside: replaced.length === 0 ? undefined : aside };
}

/** The copy of a backup that becomes the store. */
const NEXT = "store.db.next";

/** @throws {StoreError} when a name that is written to is a link, a folder or anything but a file. */
async function refuseForeign(folder: string, asideName: string): Promise<void> {
  for (const name of ["store.db", "store.id", NEXT, ...BACKUP_FILES, asideName]) {
    const path = join(folder, name);
    const there = await lstat(path).catch((error: unknown) => {
      if (isMissingFile(error)) return undefined;
      throw error;
    });
    if (there === undefined || (there.isFile() && name !== asideName)) continue;
    const what = there.isSymbolicLink() ? "a link" : "no file of Answerback";
    throw new StoreError("store-io", `${path} is ${what}: nothing is restored over it`, {
      hint: "move it away and try again",
    });
  }
}

/** Copies a backup, and leaves no copy behind that can't be used. */
async function copied(backup: string, next: string): Promise<{ id: string; about: BackupAbout }> {
  await rm(next, { force: true });
  await (await open(next, "wx", 0o600)).close();
  try {
    await copyFile(backup, next);
    // The copy takes over the mode of the backup.
    await chmod(next, 0o600);
    return begin(next, backup);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

function isStores(name: string): boolean {
  return /^store\.db(-wal|-shm|-journal)?$/.test(name);
}

/** From its first move on, the folder says that there has to be a store. */
async function moveAside(
  folder: string,
  id: string,
  replaced: readonly string[],
  aside: string,
): Promise<void> {
  await writeIdentity(folder, { id, state: "closed" });
  if (replaced.length > 0) await mkdir(aside, { mode: 0o700 });
  for (const name of replaced) await rename(join(folder, name), join(aside, name));
}

/**
 * Has the store take itself up as one that was brought back.
 *
 * @param backup What was copied, for messages. It may have changed since it was checked.
 */
function begin(path: string, backup: string): { id: string; about: BackupAbout } {
  const db = openDatabase(path);
  try {
    const about = contentsOf(db, backup);
    const put = db.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)");
    put.run(RESTORED_FROM, String(about.takenAt));
    const id = db.prepare<{ value: string }>("SELECT value FROM meta WHERE name = 'store-id'");
    return { id: id.get()?.value ?? "", about };
  } catch (error) {
    throw asStoreError(error, path);
  } finally {
    db.close();
  }
}

/** Writes the files beside the store, and takes them out of what becomes the store. */
async function writeFiles(path: string, folder: string, { files }: BackupAbout): Promise<void> {
  const db = openDatabase(path);
  try {
    for (const name of files) await writeOut(db, name, join(folder, name));
    db.exec("DROP TABLE backup_files; DROP TABLE backup_about");
  } catch (error) {
    throw asStoreError(error, path);
  } finally {
    db.close();
  }
}
