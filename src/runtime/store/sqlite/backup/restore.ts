import { chmod, lstat, mkdir, mkdtemp, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isMissingFile } from "../../../../system/missing-file.ts";
import { StoreError } from "../../errors.ts";
import { writeIdentity } from "../file/identity.ts";
import type { BackupAbout } from "./backup-contents.ts";
import { checkBackup } from "./backup-file.ts";
import { BACKUP_FILES, replacedBy } from "./backup-names.ts";
import { type BackupSeal, copyUnsealed, refuseUnsealed } from "./backup-seal.ts";
import { refuseInvalidText } from "./refuse-invalid-text.ts";
import { checkStopped } from "./copy-stopped.ts";
import { importBackup } from "./import-backup.ts";

export interface RestoreRequest {
  readonly backup: string;
  /** Data folder. */
  readonly folder: string;
  /** Name of the folder within it that gets what was there. */
  readonly asideName: string;
  /** Key of the seal, derived from the key of the tokens; undefined where this bot has none. */
  readonly key: Uint8Array | undefined;
  /** Whether a backup without a valid seal is restored. */
  readonly foreign: boolean;
}

export interface RestoredStore {
  readonly about: BackupAbout;
  /** Where the files are that were there; undefined where there were none. */
  readonly aside: string | undefined;
  /** Whether this bot's key sealed the backup. */
  readonly seal: BackupSeal;
}

/**
 * Puts a backup in the place of what is in a data folder, which is kept aside.
 *
 * The backup's rows are copied into a new store: its file is never the bot's. What ends it in the middle leaves a
 * folder whose store is told to be gone, and everything aside.
 *
 * @throws {StoreError} when the backup can't be used, or a runtime holds the store: then nothing has changed.
 */
export async function restoreStore(request: RestoreRequest): Promise<RestoredStore> {
  const { folder, asideName } = request;
  await refuseOccupied(folder, asideName);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const before = await readdir(folder);
  if (before.includes("store.db")) checkStopped(folder);
  // Left by a restore that was killed.
  for (const name of before.filter((one) => one.startsWith(INCOMING))) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
  const incoming = await mkdtemp(join(folder, INCOMING));
  try {
    const { id, about, seal } = await takeIn(request, incoming);
    // By now the log of a bot that was killed is in its file.
    const names = await readdir(folder);
    const taken: readonly string[] = replacedBy(about.files);
    const replaced = names.filter((name) => isStores(name) || taken.includes(name));
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

/** Beginning of the name of the folder that is filled before anything is replaced. */
const INCOMING = ".restoring-";

/** @throws {StoreError} when a name that is written to is a link, a folder or anything but a file. */
async function refuseOccupied(folder: string, asideName: string): Promise<void> {
  for (const name of ["store.db", "store.id", ...BACKUP_FILES, asideName]) {
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

/** Makes the files of a backup in a folder of their own, once all of them were checked. */
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
