import { StoreError } from "../store/errors.ts";
import type { DecidePort } from "../store/store.ts";
import type { Transition, TransitionResult } from "../store/transition.ts";

/** Commits one transition. */
export type Commit = (transition: Transition) => Promise<TransitionResult>;

/** Called with the transitions of a batch when the batch is passed to the store, in the same turn of the event loop. */
export type OnSent = (transitions: readonly Transition[]) => void;

/** Maximum number of transitions in one store call. A larger batch would delay appends that wait for the store. */
const MAX_BATCH = 256;
/** Maximum number of concurrent store calls. With two, the next batch is prepared while one is written. */
const CALLS_AT_ONCE = 2;

interface Waiting {
  readonly transition: Transition;
  readonly resolve: (result: TransitionResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Receiver {
  readonly store: Pick<DecidePort, "commit">;
  readonly worker: string;
  readonly onSent: OnSent;
}

/**
 * Batches the commits of many lanes into few store calls: commits that arrive while calls are under way share the next
 * call. Every store engine (SQLite or PostgreSQL) thus receives batches without having to build them.
 *
 * @param onSent Called with each batch once it is on its way to the store.
 */
export function commitBatcher(
  store: Pick<DecidePort, "commit">,
  worker: string,
  onSent: OnSent = () => {},
): Commit {
  let waiting: Waiting[] = [];
  let underWay = 0;

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await keep({ store, worker, onSent }, batch);
    }
    underWay -= 1;
  };

  return (transition) =>
    new Promise((resolve, reject) => {
      waiting.push({ transition, resolve, reject });
      if (underWay === CALLS_AT_ONCE) return;
      underWay += 1;
      // After the microtasks of this turn, so that commits of this turn share a batch. `setImmediate` would be too
      // late: under load, the next turn begins only after all deliveries that wait to be accepted.
      process.nextTick(() => void flush());
    });
}

/** Commits a batch. Never rejects: each transition gets its own result or error. */
async function keep(to: Receiver, batch: readonly Waiting[]): Promise<void> {
  try {
    const transitions = batch.map(({ transition }) => transition);
    const committing = to.store.commit(to.worker, transitions);
    to.onSent(transitions);
    const results = await committing;
    batch.forEach(({ resolve }, place) => resolve(results[place] ?? "fenced"));
  } catch (error) {
    // The store refuses the data of one transition. Each is committed alone, so that only that one fails.
    const alone = error instanceof StoreError && error.code === "store-data" && batch.length > 1;
    if (!alone) for (const { reject } of batch) reject(error);
    else for (const one of batch) await keep(to, [one]);
  }
}
