import { copyFile, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../binding.ts";
import { writeIdentity } from "../file/identity.ts";
import { RESTORED_FROM } from "../../restored.ts";
import { asStoreError, type BackupAbout, checkBackup, writeOut } from "./backup-file.ts";
import { checkStopped } from "./copy-stopped.ts";

export interface RestoreRequest {
  readonly backup: string;
  /** Data folder. */
  readonly folder: string;
  /** Name of the folder within it that gets what was there. */
  readonly asideName: string;
  /** Files of the data folder whose place the backup takes, whether it has them or not. */
  readonly replaces: readonly string[];
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
  const { backup, folder, asideName, replaces } = request;
  const about = checkBackup(backup);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).includes("store.db")) checkStopped(folder);
  const next = join(folder, "store.db.next");
  await rm(next, { force: true });
  await copyFile(backup, next);
  const id = begin(next, about);
  // By now the log of a bot that was killed is in its file.
  const names = await readdir(folder);
  const given = [...replaces, ...about.files];
  const replaced = names.filter((name) => isStores(name) || given.includes(name));
  const aside = join(folder, asideName);
  await moveAside(folder, id, replaced, aside);
  await writeFiles(next, folder, about);
  await rename(next, join(folder, "store.db"));
  return { about, aside: replaced.length === 0 ? undefined : aside };
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

/** Has the store take itself up as one that was brought back. */
function begin(path: string, { takenAt }: BackupAbout): string {
  const db = openDatabase(path);
  try {
    const put = db.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)");
    put.run(RESTORED_FROM, String(takenAt));
    const id = db.prepare<{ value: string }>("SELECT value FROM meta WHERE name = 'store-id'");
    return id.get()?.value ?? "";
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
