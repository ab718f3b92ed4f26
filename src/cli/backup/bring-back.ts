import { join } from "node:path";
import { UsageError } from "../../errors.ts";
import { sealKey } from "../../runtime/accounts.ts";
import { isAnswering, readSandboxFile } from "../../runtime/platform.ts";
import { KEY_FILE, backupKeyOf, restoreStore } from "../../runtime/stores.ts";
import type { RestoredStore } from "../../runtime/vocabulary.ts";
import { exists } from "../arguments/settings-flags.ts";
import { hasWorld } from "./data-files.ts";

export interface BroughtBack extends RestoredStore {
  /** Whether the data folder has a key that can decrypt the accounts' tokens. */
  readonly hasKey: boolean;
}

export interface RestoreOrder {
  readonly backup: string;
  /** Data folder whose content is replaced. */
  readonly folder: string;
  /** Whether the operator accepts a backup of another bot, whose HMAC can't be verified with this bot's key. */
  readonly foreign: boolean;
  /** Value of the environment variable `ANSWERBACK_KEY`. */
  readonly environmentKey: string | undefined;
}

/**
 * Replaces the content of a data folder by a backup.
 *
 * @throws {UsageError} if the sandbox of the data folder is running, because it saves its state there.
 * @throws {StoreError} if the backup can't be used, or the bot is running.
 */
export async function bringBack({
  backup,
  folder,
  foreign,
  environmentKey,
}: RestoreOrder): Promise<BroughtBack> {
  if (await hasWorld(folder)) await refuseRunningSandbox(folder);
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "");
  const asideName = `before-restore.${stamp}`;
  const restored = await restoreStore({
    backup,
    folder,
    asideName,
    foreign,
    key: foreign ? undefined : await keyOfSeal(folder, environmentKey),
  });
  return { ...restored, hasKey: await exists(folder, KEY_FILE) };
}

/** Returns the HMAC key of this bot's backups. Returns undefined, and creates no key, if the bot has none yet. */
async function keyOfSeal(
  folder: string,
  environmentKey: string | undefined,
): Promise<Uint8Array | undefined> {
  const hasKey = (environmentKey ?? "") !== "" || (await exists(folder, KEY_FILE));
  return hasKey ? backupKeyOf(await sealKey(join(folder, KEY_FILE), environmentKey)) : undefined;
}

async function refuseRunningSandbox(folder: string): Promise<void> {
  // A damaged sandbox file must not prevent the restore.
  const file = await readSandboxFile(folder).catch(() => undefined);
  if (file === undefined || !(await isAnswering(file))) return;
  throw new UsageError(`the sandbox of ${folder} runs, as process ${file.pid}`, {
    hint: "stop answerback dev first, with Ctrl-C",
  });
}
