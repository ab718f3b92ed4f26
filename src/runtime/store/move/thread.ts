import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { StoreFault } from "../sqlite/calls.ts";
import { StoreError } from "../errors.ts";
import type { MovedRows } from "../copy/copy.ts";
import { faultOf } from "../sqlite/group.ts";
import { sqliteCode } from "../sqlite/binding.ts";
import { moveToFolder, type MoveToFolder } from "./to-folder.ts";
import { moveToPostgres, type MoveToPostgres } from "./to-postgres.ts";

export type MoveRequest = MoveToFolder | MoveToPostgres;

export type FromMoveThread =
  | { readonly done: number; readonly total: number }
  | { readonly rows: MovedRows }
  | { readonly fault: StoreFault };

async function work(port: MessagePort, request: MoveRequest): Promise<void> {
  const post = (message: FromMoveThread): void => port.postMessage(message);
  const onProgress = (done: number, total: number): void => post({ done, total });
  try {
    const rows =
      request.way === "to-postgres"
        ? await moveToPostgres(request, onProgress)
        : await moveToFolder(request, onProgress);
    post({ rows });
  } catch (error) {
    if (!(error instanceof StoreError) && sqliteCode(error) === undefined) throw error;
    post({ fault: faultOf(error) });
  }
}

if (parentPort !== null) await work(parentPort, workerData);
