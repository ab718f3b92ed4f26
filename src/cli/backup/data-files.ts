import { existsSync } from "node:fs";
import { join } from "node:path";
import { BACKUP_FILES, KEY_FILE } from "../../runtime/stores.ts";
import type { BackupFileName } from "../../runtime/vocabulary.ts";

/** Descriptions of the files in a bot's data folder besides the store. */
const DESCRIPTIONS: Readonly<Record<BackupFileName, string>> = {
  "accounts.json": "the linked accounts, their tokens sealed",
  "sandbox.json": "how to reach the sandbox",
  "world.jsonl": "the sandbox's world",
  [KEY_FILE]: "the key of the tokens",
};

/** The files of a data folder that go into a backup. */
export function backedUp(folder: string, withKey: boolean): readonly BackupFileName[] {
  const names = BACKUP_FILES.filter((name) => withKey || name !== KEY_FILE);
  return names.filter((name) => existsSync(join(folder, name)));
}

/** Describes the files of a backup. */
export function describeFiles(files: readonly BackupFileName[]): readonly string[] {
  return BACKUP_FILES.filter((name) => files.includes(name)).map((name) => DESCRIPTIONS[name]);
}
