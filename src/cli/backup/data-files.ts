import { existsSync } from "node:fs";
import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../../errors.ts";
import { BACKUP_FILES, isOfWorld, KEY_FILE, WORLD_FILE } from "../../runtime/stores.ts";
import type { BackupFileName } from "../../runtime/vocabulary.ts";
import { errorCode } from "../../system/error-code.ts";
import { messageOf } from "../../system/error-message.ts";

/** Descriptions of the files in a bot's data folder besides the store. */
const DESCRIPTIONS: Readonly<Record<BackupFileName, string>> = {
  "accounts.json": "the linked accounts, their tokens sealed",
  "sandbox.json": "how to reach the sandbox",
  [WORLD_FILE]: "the sandbox's world",
  [KEY_FILE]: "the key of the tokens",
};

/**
 * Copies the files of a data folder that go into a backup. The sandbox's world is copied last, so that it contains the
 * app and the tokens of the other files.
 *
 * @param to An empty folder.
 * @returns The names of the copied files.
 * @throws {UsageError} if a part of the sandbox's world is missing or damaged.
 */
export async function copyBackedUp(
  folder: string,
  to: string,
  withKey: boolean,
): Promise<readonly BackupFileName[]> {
  const copied = new Set<BackupFileName>();
  for (const name of BACKUP_FILES) {
    if (name === WORLD_FILE || (name === KEY_FILE && !withKey)) continue;
    if (!existsSync(join(folder, name))) continue;
    await copyFile(join(folder, name), join(to, name));
    copied.add(name);
  }
  if (await copyWorldOf(folder, to)) copied.add(WORLD_FILE);
  return BACKUP_FILES.filter((name) => copied.has(name));
}

/** Whether a sandbox saves its world in the data folder. */
export async function hasWorld(folder: string): Promise<boolean> {
  return existsSync(folder) && (await readdir(folder)).some(isOfWorld);
}

async function copyWorldOf(folder: string, to: string): Promise<boolean> {
  if (!(await hasWorld(folder))) return false;
  const { copyWorld } = await import("../../sandbox/copy-world.ts");
  try {
    return await copyWorld(join(folder, WORLD_FILE), join(to, WORLD_FILE));
  } catch (error) {
    if (errorCode(error) !== undefined) throw error;
    throw new UsageError(`the sandbox's data can't be backed up: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Describes the files of a backup. */
export function describeFiles(files: readonly BackupFileName[]): readonly string[] {
  return BACKUP_FILES.filter((name) => files.includes(name)).map((name) => DESCRIPTIONS[name]);
}
