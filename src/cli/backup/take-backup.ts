import { lstatSync } from "node:fs";
import { copyFile, mkdtemp, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UsageError } from "../../errors.ts";
import { sealKey } from "../../runtime/accounts.ts";
import { callRuntime } from "../../runtime/calls.ts";
import { StoreError } from "../../runtime/records.ts";
import {
  KEY_FILE,
  backupKeyOf,
  checkBackup,
  completeBackup,
  copyStopped,
  sealBackup,
} from "../../runtime/stores.ts";
import type { BackupAbout } from "../../runtime/vocabulary.ts";
import { isExistingFile } from "../../system/files/missing-file.ts";
import { createFile } from "../../system/files/own-file.ts";
import { exists } from "../arguments/settings-flags.ts";
import { platformTime } from "../target/platform-time.ts";
import { copyBackedUp } from "./data-files.ts";

export interface BackupRequest {
  /** Data folder to back up. */
  readonly folder: string;
  /** Path of the backup file; the file must not exist. */
  readonly to: string;
  /** Whether the backup includes the key that decrypts the accounts' tokens. */
  readonly withKey: boolean;
  /** HMAC key of the backup, from `keyOfBackups`. */
  readonly key: Uint8Array;
}

export interface TakenBackup {
  readonly about: BackupAbout;
  readonly bytes: number;
  /** Whether the bot was running during the backup. */
  readonly running: boolean;
}

/** Number of attempts to copy the store of a running bot, whose copy may be incomplete. */
const TRIES = 3;

/**
 * Backs up a bot's data on this machine, running or not, and verifies the backup.
 *
 * @throws {UsageError} if the file exists, or its folder does not.
 * @throws {StoreError} if the store or the backup can't be read.
 */
export async function takeBackup({
  folder,
  to,
  withKey,
  key,
}: BackupRequest): Promise<TakenBackup> {
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) throw existing(to);
  if (!(await exists(dirname(to), "."))) {
    throw new UsageError(`there is no folder ${dirname(to)}`, {
      hint: "make it first, or name another file with --to",
    });
  }
  const { about, running } = await createFile(to, async (unfinished) => {
    const copied = await copyRunning(folder, unfinished);
    const copy = copied ?? (await copyOfStopped(folder, unfinished));
    // The other files are copied after the store: the sandbox's world then contains all answers that the store has sent.
    const others = await mkdtemp(join(dirname(unfinished), "files-"));
    const backupAbout: BackupAbout = {
      ...copy,
      files: await copyBackedUp(folder, others, withKey),
    };
    await completeBackup(unfinished, others, backupAbout);
    await checkBackup(unfinished);
    await sealBackup(unfinished, key);
    return { about: backupAbout, running: copied !== undefined };
  }).catch((error: unknown) => {
    throw isExistingFile(error) ? existing(to) : error;
  });
  return { about, bytes: (await stat(to)).size, running };
}

/**
 * Returns the HMAC key of a bot's backups. It is derived from the key of the accounts' tokens, which is created if
 * missing.
 *
 * @param environmentKey Value of `ANSWERBACK_KEY`.
 * @throws {UsageError} if there is no store.
 */
export async function keyOfBackups(
  folder: string,
  environmentKey: string | undefined,
): Promise<Uint8Array> {
  await refuseWithoutStore(folder);
  return backupKeyOf(await sealKey(join(folder, KEY_FILE), environmentKey));
}

async function refuseWithoutStore(folder: string): Promise<void> {
  if ((await exists(folder, "store.db")) || (await exists(folder, "store.id"))) return;
  throw new UsageError(`there is no store in ${folder}`, {
    hint: "name the folder of the bot's data with --data",
  });
}

function existing(file: string): UsageError {
  return new UsageError(`${file} already exists`, { hint: "name another file with --to" });
}

type Copy = Pick<BackupAbout, "takenAt" | "entries" | "items">;

/**
 * Copies the store of the bot that runs with the data folder `folder` to `target`; returns undefined if no bot runs.
 */
async function copyRunning(folder: string, target: string): Promise<Copy | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const held = await callRuntime(folder, "beginBackup", {});
    if (held === undefined) return undefined;
    const { id, path, keepWithinMs, takenAt, entries, items } = held;
    const keeping = setInterval(() => {
      callRuntime(folder, "keepBackup", { id }).catch(ignored);
    }, keepWithinMs / 3);
    try {
      await copyFile(path, target);
    } finally {
      clearInterval(keeping);
    }
    const ended = await callRuntime(folder, "endBackup", { id });
    if (ended?.whole === true) return { takenAt, entries, items };
  }
  throw new StoreError("store-io", "the store changed during every attempt to copy it", {
    hint: "try again when the disk has more space and less load, or stop the bot first",
  });
}

/** Ignores a failed `keepBackup` request: `endBackup` reports whether the copy is complete. */
function ignored(): void {}

async function copyOfStopped(folder: string, target: string): Promise<Copy> {
  return { ...(await copyStopped(folder, target)), takenAt: await platformTime(folder) };
}
