/** Entry point for other folders: opens, backs up, restores and moves stores, and deletes a person from one. */
export { forgetPerson } from "./forget/forget-person.ts";
export { folderOf, openStore } from "./store/open.ts";
export { writtenStats } from "./store/written-by.ts";
export { moveStore } from "./store/move/move-store.ts";
export {
  BACKUP_FILES,
  isOfWorld,
  KEY_FILE,
  WORLD_FILE,
} from "./store/sqlite/backup/backup-names.ts";
export { backupKeyOf, sealBackup } from "./store/sqlite/backup/backup-seal.ts";
export {
  checkBackup,
  completeBackup,
  copyStopped,
  restoreStore,
} from "./store/sqlite/backup/tasks.ts";
