import { pause } from "../../system/time/pause.ts";
import { StoreError } from "../store/errors.ts";

/** Real milliseconds before work is repeated. */
const AGAIN_MS = 1_000;

/**
 * Repeats `work` until the store can be read, such as after the restart of a database server. Without a repetition, a
 * run whose effect has ended would wait for the next start.
 *
 * @param stopping Once aborted, failed work is not repeated.
 * @throws the error of `work`, if it is no temporary failure of the store.
 */
export async function repeatedWhileStoreFails<T>(
  work: () => Promise<T>,
  stopping: AbortSignal,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isTemporary = error instanceof StoreError && error.retryable;
      if (!isTemporary || stopping.aborted) throw error;
      await pause(AGAIN_MS, stopping);
    }
  }
}
