/** File with the key that decrypts the tokens of the accounts. A backup contains it only on request. */
export const KEY_FILE = "key";

/** File with the data of the sandbox. In a backup it is complete; in a data folder, journals may continue it. */
export const WORLD_FILE = "world.jsonl";

/** Files of a data folder that a backup may contain besides the store. `restore` refuses all others. */
export const BACKUP_FILES = ["accounts.json", "sandbox.json", WORLD_FILE, KEY_FILE] as const;

/** Name of a file that a backup may contain. */
export type BackupFileName = (typeof BACKUP_FILES)[number];

/**
 * Whether a restored backup replaces a file of the data folder. The key file stays if the backup contains none.
 *
 * @param name Name of the file in the data folder.
 * @param files Names of the files in the backup.
 */
export function isReplacedBy(files: readonly BackupFileName[], name: string): boolean {
  if (name === KEY_FILE) return files.includes(name);
  return BACKUP_FILES.some((one) => one === name) || STORE.test(name) || isOfWorld(name);
}

/** Whether a file of a data folder is the sandbox's world or a journal that continues it. */
export function isOfWorld(name: string): boolean {
  return name === WORLD_FILE || WORLD_JOURNAL.test(name);
}

const STORE = /^store\.db(-wal|-shm|-journal)?$/;
const WORLD_JOURNAL = /^world\.jsonl\.journal\.\d+$/;
