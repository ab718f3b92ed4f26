import { chmod, lstat, mkdir, mkdtemp, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createFolder } from "../../../../system/files/created-folder.ts";
import { isMissingFile } from "../../../../system/files/missing-file.ts";
import { StoreError } from "../../errors.ts";
import { writeIdentity } from "../file/identity.ts";
import type { BackupAbout } from "./backup-contents.ts";
import { checkBackup } from "./backup-file.ts";
import { BACKUP_FILES, isReplacedBy } from "./backup-names.ts";
import { type BackupSeal, copyUnsealed, refuseUnsealed } from "./backup-seal.ts";
import { refuseInvalidText } from "./refuse-invalid-text.ts";
import { checkStopped } from "./copy-stopped.ts";
import { importBackup } from "./import-backup.ts";

export interface RestoreRequest {
  readonly backup: string;
  /** Data folder whose store is replaced. */
  readonly folder: string;
  /** Name of the subfolder to which the replaced files are moved. */
  readonly asideName: string;
  /** Key of the seal, derived from the key of the tokens; undefined if this bot has no key. */
  readonly key: Uint8Array | undefined;
  /** Whether a backup without a valid seal of this bot is accepted. */
  readonly foreign: boolean;
}

export interface RestoredStore {
  readonly about: BackupAbout;
  /** Folder of the replaced files; undefined if there were none. */
  readonly aside: string | undefined;
  /** Result of verifying the seal with this bot's key. */
  readonly seal: BackupSeal;
}

/**
 * Replaces the store of a data folder by a backup, and moves the replaced files to a subfolder.
 *
 * The backup's rows are copied into a new store, because the backup's file is not trusted. If the process is killed
 * during the restore, a later start reports the store as missing (`store-gone`), and no replaced file is lost.
 *
 * @throws {StoreError} if the backup can't be used or a runtime uses the store. Then nothing has changed.
 */
export async function restoreStore(request: RestoreRequest): Promise<RestoredStore> {
  const { folder, asideName } = request;
  await refuseOccupied(folder, asideName);
  const removeCreated = await createFolder(folder);
  try {
    return await restoreInto(request);
  } catch (error) {
    await removeCreated();
    throw error;
  }
}

async function restoreInto(request: RestoreRequest): Promise<RestoredStore> {
  const { folder, asideName } = request;
  const before = await readdir(folder);
  if (before.includes("store.db")) checkStopped(folder);
  // Deletes temporary folders of restores that were killed.
  for (const name of before.filter((one) => one.startsWith(INCOMING))) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
  const incoming = await mkdtemp(join(folder, INCOMING));
  try {
    const { id, about, seal } = await takeIn(request, incoming);
    // The folder is read again: `checkStopped` may have moved the WAL of a killed bot into its database.
    const names = await readdir(folder);
    const replaced = names.filter((name) => isReplacedBy(about.files, name));
    const aside = join(folder, asideName);
    await moveAside(folder, id, replaced, aside);
    for (const name of [...about.files, "store.db"]) {
      await rename(join(incoming, name), join(folder, name));
    }
    return { about, aside: replaced.length === 0 ? undefined : aside, seal };
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

/** Prefix of the temporary folder in which the restored files are created before any file is replaced. */
const INCOMING = ".restoring-";

/** @throws {StoreError} if a path to write to is a link, a folder or anything else that is not a regular file. */
async function refuseOccupied(folder: string, asideName: string): Promise<void> {
  for (const name of ["store.db", "store.id", ...BACKUP_FILES, asideName]) {
    const path = join(folder, name);
    const there = await lstat(path).catch((error: unknown) => {
      if (isMissingFile(error)) return undefined;
      throw error;
    });
    if (there === undefined || (there.isFile() && name !== asideName)) continue;
    const what = there.isSymbolicLink() ? "a link" : "no file of Answerback";
    throw new StoreError("store-io", `${path} is ${what}, so nothing is restored there`, {
      hint: "move it away and try again",
    });
  }
}

/** Creates the files of a backup in a temporary folder, after the backup has been checked. */
async function takeIn({ backup, key, foreign }: RestoreRequest, incoming: string) {
  const copy = join(incoming, "backup");
  const file = await open(copy, "wx", 0o600);
  let seal: BackupSeal;
  try {
    seal = await copyUnsealed(backup, key, file);
  } finally {
    await file.close();
  }
  if (!foreign) refuseUnsealed(backup, seal);
  if (seal !== "valid") refuseInvalidText(copy, backup);
  await checkBackup(copy, backup);
  const { id, about } = await importBackup(copy, incoming, backup);
  await chmod(join(incoming, "store.db"), 0o600);
  return { id, about, seal };
}

/**
 * Moves the replaced files to a subfolder. Writes `store.id` first, so that a missing store counts as lost, not as new.
 */
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
