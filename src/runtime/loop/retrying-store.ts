import type { Log } from "../log.ts";
import { pause } from "./pause.ts";
import { throttle, LOG_EVERY_MS } from "./throttle.ts";
import { StoreError } from "../store/errors.ts";
import { type Item, isSettled, type ItemTransition } from "../store/item.ts";
import type { Store } from "../store/store.ts";
import type { CommitResult } from "../store/transition.ts";

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
 * A disk can fail after it has kept what it was given: then the repeat finds it done already, by this very
 * write, and that is what the caller is told. Otherwise it would take its own work for another's, and an
 * item that it has just begun to send would stay so.
 */
export function retryingWrites(
  store: RetryingWrites & Pick<Store, "items">,
  { log, signal, onFailed, onKept, firstDelayMs = FIRST_DELAY_MS }: RetryingNeeds,
): RetryingWrites {
  let waiting = 0;
  const tell = throttle<unknown>(LOG_EVERY_MS, (error) =>
    log.error({ err: error, waiting }, "the store keeps nothing; what waits is tried again"),
  );

  const kept = async <T>(write: () => Promise<T>): Promise<Kept<T>> => {
    for (let failed = 0; ; failed += 1) {
      try {
        const result = await write();
        if (failed > 0 && --waiting === 0) {
          log.info("the store keeps what it is given again");
          onKept?.();
        }
        return { result, repeated: failed > 0 };
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
  const isOwn = async (change: ItemTransition): Promise<boolean> => {
    const { result } = await kept(() => store.items({ id: change.id, limit: 1 }));
    return result.some((item) => isAsChanged(item, change));
  };
  return {
    async commit(worker, transitions) {
      const { result, repeated } = await kept(() => store.commit(worker, transitions));
      // Under one epoch nobody else takes an input in, and this process does so once.
      return repeated ? result.map((one) => (one === DONE ? "committed" : one)) : result;
    },
    async changeItems(worker, transitions) {
      const { result, repeated } = await kept(() => store.changeItems(worker, transitions));
      if (!repeated) return result;
      const own: CommitResult[] = [];
      for (const [place, one] of result.entries()) {
        const change = transitions[place];
        const done = one === DONE && change !== undefined && (await isOwn(change));
        own.push(done ? "committed" : one);
      }
      return own;
    },
  };
}

interface Kept<T> {
  readonly result: T;
  /** It was not kept at the first try, as far as the store said. */
  readonly repeated: boolean;
}

const DONE: CommitResult = "already-done";

/** Whether `item` is as `change` leaves it: somebody else's change has another time. */
function isAsChanged(item: Item, { to, at, notBefore }: ItemTransition): boolean {
  if (item.status !== to) return false;
  if (to === "sending") return item.startedAt === at;
  if (isSettled(to)) return item.settledAt === at;
  return notBefore === undefined || item.notBefore === notBefore;
}
