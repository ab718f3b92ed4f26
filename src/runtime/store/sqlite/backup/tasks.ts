import { once } from "node:events";
import { startThread } from "../../../../system/start-thread.ts";
import { StoreError } from "../../errors.ts";
import type { StoreFault } from "../calls.ts";
import type * as backupFile from "./backup-file.ts";
import type * as stopped from "./copy-stopped.ts";
import type * as restoring from "./restore.ts";

/** Tasks on files of a store that no runtime has open. */
interface Tasks {
  readonly copyStopped: typeof stopped.copyStopped;
  readonly completeBackup: typeof backupFile.completeBackup;
  readonly checkBackup: typeof backupFile.checkBackup;
  readonly restoreStore: typeof restoring.restoreStore;
}

type TaskName = keyof Tasks;
type Result<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>;

/** Name and arguments of a task that a worker thread runs. */
export type BackupTask = {
  readonly [Name in TaskName]: { readonly name: Name; readonly args: Parameters<Tasks[Name]> };
}[TaskName];

/** Result of a task. */
export type FromBackupThread = { readonly value: unknown } | { readonly fault: StoreFault };

/**
 * Copies the store of a stopped bot; see {@link stopped.copyStopped}.
 *
 * Each function of this module runs in a worker thread, so that the main thread is not blocked. All files are closed
 * when the thread ends.
 *
 * @throws {StoreError} if the store can't be read.
 */
export function copyStopped(...args: Parameters<Tasks["copyStopped"]>) {
  return inThread<"copyStopped">({ name: "copyStopped", args });
}

/** Turns a copy into a backup; see {@link backupFile.completeBackup}. @throws {StoreError} */
export function completeBackup(...args: Parameters<Tasks["completeBackup"]>) {
  return inThread<"completeBackup">({ name: "completeBackup", args });
}

/** Reads and checks a backup; see {@link backupFile.checkBackup}. @throws {StoreError} */
export function checkBackup(...args: Parameters<Tasks["checkBackup"]>) {
  return inThread<"checkBackup">({ name: "checkBackup", args });
}

/** Restores a backup; see {@link restoring.restoreStore}. @throws {StoreError} */
export function restoreStore(...args: Parameters<Tasks["restoreStore"]>) {
  return inThread<"restoreStore">({ name: "restoreStore", args });
}

async function inThread<Name extends TaskName>(task: BackupTask): Promise<Result<Name>> {
  const worker = startThread(new URL("./thread", import.meta.url), { workerData: task });
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const [outcome]: FromBackupThread[] = await once(worker, "message");
  await ended;
  if (outcome !== undefined && "value" in outcome) {
    // The thread calls the function that `task.name` names, and posts its return value.
    return outcome.value as Result<Name>;
  }
  const { code, message, hint } = outcome?.fault ?? NO_OUTCOME;
  throw new StoreError(code, message, { hint });
}

const NO_OUTCOME: StoreFault = { code: "store-io", message: "nothing is known of the backup" };
