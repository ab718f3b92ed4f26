import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../log.ts";
import { throttle, LOG_EVERY_MS } from "./throttle.ts";
import { StoreError } from "../store/errors.ts";
import type { Store } from "../store/store.ts";

export interface RetryingNeeds {
  readonly log: Log;
  /** Once aborted, a write that fails is given up. */
  readonly signal: AbortSignal;
  /** Called each time that a write is going to be repeated, with why. */
  readonly onFailed?: (error: unknown) => void;
  /** Called when no write waits to be repeated any longer. */
  readonly onKept?: () => void;
  /** Real milliseconds before the first repeat; doubles up to {@link MAX_DELAY_MS}. */
  readonly firstDelayMs?: number;
}

/** The writes that nobody can do a second time. */
export type RetryingWrites = Pick<Store, "commit" | "changeItems">;

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;

/**
 * What came of an entry or a request must be written down, and nobody can do it a second time: on a
 * full or failing disk these writes are repeated until they are kept.
 *
 * The caller waits, so it takes on nothing more. Repeating is safe, since the store's contract allows it.
 */
export function retryingWrites(
  store: RetryingWrites,
  { log, signal, onFailed, onKept, firstDelayMs = FIRST_DELAY_MS }: RetryingNeeds,
): RetryingWrites {
  let waiting = 0;
  const tell = throttle<unknown>(LOG_EVERY_MS, (error) =>
    log.error({ err: error, waiting }, "the store keeps nothing; what waits is tried again"),
  );

  const kept = async <T>(write: () => Promise<T>): Promise<T> => {
    for (let failed = 0; ; failed += 1) {
      try {
        const result = await write();
        if (failed > 0 && --waiting === 0) {
          log.info("the store keeps what it is given again");
          onKept?.();
        }
        return result;
      } catch (error) {
        const repeatable = error instanceof StoreError && error.retryable && !signal.aborted;
        if (failed === 0 && repeatable) waiting += 1;
        if (!repeatable) {
          if (failed > 0) waiting -= 1;
          throw error;
        }
        tell(error);
        onFailed?.(error);
        await pause(Math.min(MAX_DELAY_MS, firstDelayMs * 2 ** failed), signal);
      }
    }
  };
  return {
    commit: (worker, transitions) => kept(() => store.commit(worker, transitions)),
    changeItems: (worker, transitions) => kept(() => store.changeItems(worker, transitions)),
  };
}

/** Ends early, without a fault, when `signal` aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal }).catch(() => {});
}
