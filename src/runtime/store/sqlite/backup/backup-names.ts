/** The key that opens the tokens of the accounts: only in a backup that was asked to hold it. */
export const KEY_FILE = "key";

/** The files of a data folder that a backup may hold beside the store. `backup` and `restore` take no others. */
export const BACKUP_FILES = ["accounts.json", "sandbox.json", "world.jsonl", KEY_FILE] as const;

/** Name of a file that a backup may hold. */
export type BackupFileName = (typeof BACKUP_FILES)[number];

/** The files of a data folder whose place a backup with `files` takes. A key that it does not hold stays. */
export function replacedBy(files: readonly BackupFileName[]): readonly BackupFileName[] {
  return BACKUP_FILES.filter((name) => name !== KEY_FILE || files.includes(name));
}
