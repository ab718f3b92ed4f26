import { UsageError } from "../../errors.ts";
import { isAnswering, readSandboxFile } from "../../runtime/platform/sandbox-file.ts";
import type { RestoredStore } from "../../runtime/store/sqlite/backup/restore.ts";
import { KEY_FILE } from "../../runtime/store/sqlite/backup/backup-names.ts";
import { restoreStore } from "../../runtime/store/sqlite/backup/tasks.ts";
import { exists } from "../arguments/settings-flags.ts";

export interface BroughtBack extends RestoredStore {
  /** Whether the tokens of the accounts can be opened with a key of the data folder. */
  readonly hasKey: boolean;
}

/**
 * Puts a backup in the place of what is in a data folder.
 *
 * @throws {UsageError} when the sandbox of that folder runs, and keeps its world there.
 * @throws {StoreError} when the backup can't be used, or the bot runs.
 */
export async function bringBack(backup: string, folder: string): Promise<BroughtBack> {
  if (await exists(folder, "world.jsonl")) await refuseRunningSandbox(folder);
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "");
  const asideName = `before-restore.${stamp}`;
  const restored = await restoreStore({ backup, folder, asideName });
  return { ...restored, hasKey: await exists(folder, KEY_FILE) };
}

async function refuseRunningSandbox(folder: string): Promise<void> {
  // A file that is damaged is one more reason to bring a backup back.
  const file = await readSandboxFile(folder).catch(() => undefined);
  if (file === undefined || !(await isAnswering(file))) return;
  throw new UsageError(`the sandbox of ${folder} runs, as process ${file.pid}`, {
    hint: "stop answerback dev first, with Ctrl-C",
  });
}
