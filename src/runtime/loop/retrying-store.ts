import type { Log } from "../log.ts";
import { pause } from "../../system/time/pause.ts";
import { throttle, LOG_EVERY_MS } from "../../system/time/throttle.ts";
import { StoreError } from "../store/errors.ts";
import { type Item, isSettled, type ItemTransition } from "../store/item.ts";
import type { Store } from "../store/store.ts";
import { MAX_ITEMS_OF_EVENT } from "../store/thread.ts";
import type {
  CommitResult,
  ItemResult,
  Transition,
  TransitionResult,
} from "../store/transition.ts";

export interface RetryingNeeds {
  readonly log: Log;
  /** Once aborted, a failed write is not repeated. */
  readonly signal: AbortSignal;
  /** Called with the error each time before a write is repeated. */
  readonly onFailed?: (error: unknown) => void;
  /** Called when all writes that failed before have succeeded. */
  readonly onKept?: () => void;
  /** Real milliseconds before the first repetition; doubles up to {@link MAX_DELAY_MS}. */
  readonly firstDelayMs?: number;
}

/** Writes to the store that are repeated until they succeed. */
export type RetryingWrites = Pick<Store, "commit" | "changeItems">;

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;

/**
 * Wraps the store's writes of outcomes: repeats a failed write until it succeeds, for example while the disk is full.
 * Only this process knows the outcomes of its entries and requests.
 *
 * The caller waits for the write, so it accepts no new work. Repeating is safe by the store's contract. A disk can fail
 * after it has stored a write. The repetition then finds the change stored, and reports it as committed. Otherwise the
 * caller would take its own change for the change of another process, and an item would remain in the state `sending`.
 */
export function retryingWrites(
  store: RetryingWrites & Pick<Store, "items" | "runsOf">,
  { log, signal, onFailed, onKept, firstDelayMs = FIRST_DELAY_MS }: RetryingNeeds,
): RetryingWrites {
  let waiting = 0;
  const tell = throttle<unknown>(LOG_EVERY_MS, (error) =>
    log.error({ err: error, waiting }, "writes to the store fail; retrying until they succeed"),
  );

  const persist = async <T>(write: () => Promise<T>): Promise<Kept<T>> => {
    for (let failed = 0; ; failed += 1) {
      try {
        const result = await write();
        if (failed > 0 && --waiting === 0) {
          log.info("writes to the store succeed again");
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
  const own = ownResults(store, persist);
  return {
    async commit(worker, transitions) {
      const { result, repeated } = await persist(() => store.commit(worker, transitions));
      if (!repeated) return result;
      const results: TransitionResult[] = [];
      for (const [place, one] of result.entries()) {
        const transition = transitions[place];
        const done = one === DONE && transition !== undefined;
        results.push(done ? await own.ofTransition(transition) : one);
      }
      return results;
    },
    async changeItems(worker, transitions) {
      const { result, repeated } = await persist(() => store.changeItems(worker, transitions));
      if (!repeated) return result;
      const results: ItemResult[] = [];
      for (const [place, one] of result.entries()) {
        const change = transitions[place];
        results.push(one === DONE && change !== undefined ? await own.ofChange(change) : one);
      }
      return results;
    },
  };
}

interface Kept<T> {
  readonly result: T;
  /** Whether an earlier try failed with an error. That try may have stored the change nevertheless. */
  readonly repeated: boolean;
}

type Persist = <T>(write: () => Promise<T>) => Promise<Kept<T>>;

/** Creates functions that return the result of a write which an earlier try may have stored. */
function ownResults(store: Pick<Store, "items" | "runsOf">, persist: Persist) {
  return {
    /** Only this process commits in its epoch. So `already-done` means that an earlier try has stored the transition. */
    async ofTransition({ items, sends, at }: Transition): Promise<TransitionResult> {
      const queued = items.find(({ key }) => key === sends);
      if (queued === undefined) return "committed";
      const { seq, lane, key, account } = queued;
      const query = { seq, lane, status: "sending", limit: MAX_ITEMS_OF_EVENT } as const;
      const { result: sending } = await persist(() => store.items(query));
      const own = sending.find((one) => one.key === key && one.account === account);
      return own?.startedAt === at ? { sending: own.id } : "committed";
    },
    /** Returns `ended` if the change has ended its run. */
    async ofChange(change: ItemTransition): Promise<ItemResult> {
      const { id, ends } = change;
      const { result: stored } = await persist(() => store.items({ id, limit: 1 }));
      if (!stored.some((item) => isAsChanged(item, change))) return DONE;
      if (ends === undefined) return "committed";
      const { result: openRuns } = await persist(() => store.runsOf(ends.run.seq));
      return openRuns.some((run) => run.id === ends.run.id) ? "committed" : "ended";
    },
  };
}

const DONE: CommitResult = "already-done";

/** Whether `change` has set the state of `item`: a change to this state by another process has another time. */
function isAsChanged(item: Item, { to, at, notBefore }: ItemTransition): boolean {
  if (item.status !== to) return false;
  if (to === "sending") return item.startedAt === at;
  if (isSettled(to)) return item.settledAt === at;
  return notBefore === undefined || item.notBefore === notBefore;
}
