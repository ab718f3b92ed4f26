import { once } from "node:events";
import { startThread } from "../../../system/start-thread.ts";
import { StoreError } from "../errors.ts";
import type { MovedRows, OnMoveProgress } from "../copy/copy.ts";
import type { FromMoveThread, MoveRequest } from "./thread.ts";

/**
 * Moves a store in a worker thread. All its files are closed when the thread ends.
 *
 * @param signal Aborts the move. Then nothing was moved, unless the move had just been completed.
 * @returns `undefined` if the move was aborted.
 * @throws {StoreError} if the store can't be moved; then nothing has changed.
 */
export async function moveStore(
  request: MoveRequest,
  { onProgress, signal }: { readonly onProgress: OnMoveProgress; readonly signal: AbortSignal },
): Promise<MovedRows | undefined> {
  const worker = startThread(new URL("./thread", import.meta.url), { workerData: request });
  let outcome: Exclude<FromMoveThread, { done: number }> | undefined;
  worker.on("message", (message: FromMoveThread) => {
    if ("done" in message) onProgress(message.done, message.total);
    else outcome = message;
  });
  const breakOff = (): void => void worker.terminate();
  signal.addEventListener("abort", breakOff);
  if (signal.aborted) breakOff();
  try {
    await once(worker, "exit");
  } finally {
    signal.removeEventListener("abort", breakOff);
  }
  if (outcome === undefined) {
    if (signal.aborted) return undefined;
    throw new StoreError("store-io", "the move ended without a result");
  }
  if ("rows" in outcome) return outcome.rows;
  const { code, message, hint } = outcome.fault;
  throw new StoreError(code, message, { hint });
}
