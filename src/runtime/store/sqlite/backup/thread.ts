import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { StoreError } from "../../errors.ts";
import { faultOf } from "../group.ts";
import { checkBackup, completeBackup } from "./backup-file.ts";
import { copyStopped } from "./copy-stopped.ts";
import { restoreStore } from "./restore.ts";
import type { BackupTask, FromBackupThread } from "./tasks.ts";

/** Runs a task and returns its result; see {@link BackupTask}. */
async function perform(task: BackupTask): Promise<unknown> {
  switch (task.name) {
    case "copyStopped":
      return copyStopped(...task.args);
    case "completeBackup":
      return completeBackup(...task.args);
    case "checkBackup":
      return checkBackup(...task.args);
    case "restoreStore":
      return restoreStore(...task.args);
  }
}

async function work(port: MessagePort, task: BackupTask): Promise<void> {
  const post = (message: FromBackupThread): void => port.postMessage(message);
  try {
    post({ value: await perform(task) });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    post({ fault: faultOf(error) });
  }
}

if (parentPort !== null) await work(parentPort, workerData);
