/** File with the key that decrypts the tokens of the accounts. A backup contains it only on request. */
export const KEY_FILE = "key";

/** Files of a data folder that a backup may contain besides the store. `restore` refuses all others. */
export const BACKUP_FILES = ["accounts.json", "sandbox.json", "world.jsonl", KEY_FILE] as const;

/** Name of a file that a backup may contain. */
export type BackupFileName = (typeof BACKUP_FILES)[number];

/**
 * Returns the files of a data folder that a restored backup replaces. The key file stays if the backup contains none.
 */
export function replacedBy(files: readonly BackupFileName[]): readonly BackupFileName[] {
  return BACKUP_FILES.filter((name) => name !== KEY_FILE || files.includes(name));
}
