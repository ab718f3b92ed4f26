import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissingFile } from "../../system/missing-file.ts";
import type { Missing } from "../readiness.ts";

/**
 * Notices that the store's file was taken away under the running bot. SQLite goes on writing to the file that no longer
 * has a name, so no write fails.
 *
 * @param folder Folder of the store. Without a `store.db` in it, as with a database server, nothing is missed.
 */
export async function storePresence(folder: string): Promise<() => Promise<readonly Missing[]>> {
  const file = join(folder, "store.db");
  const before = await inodeOf(file);
  return async () => {
    if (before === undefined || (await inodeOf(file)) === before) return [];
    const reason = `${file} was removed or replaced: what is written now is lost; fix: stop the bot, then bring back a backup with: answerback restore FILE`;
    return [{ part: "store", reason }];
  };
}

async function inodeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).ino;
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}
