import { StoreError } from "../store/errors.ts";
import type { DecidePort } from "../store/store.ts";
import type { CommitResult, Transition } from "../store/transition.ts";

/** Keeps one transition. */
export type Commit = (transition: Transition) => Promise<CommitResult>;

/** More would make one call of the store long while appends wait. */
const MAX_BATCH = 256;
/** One call is written while the next one is decided. */
const CALLS_AT_ONCE = 2;

interface Waiting {
  readonly transition: Transition;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits of many lanes in few calls of the store: what comes while calls are under way goes together
 * in the next one. So every engine writes batches, and none has to make them.
 */
export function commitBatcher(store: Pick<DecidePort, "commit">, worker: string): Commit {
  let waiting: Waiting[] = [];
  let underWay = 0;

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await keep(store, worker, batch);
    }
    underWay -= 1;
  };

  return (transition) =>
    new Promise((resolve, reject) => {
      waiting.push({ transition, resolve, reject });
      if (underWay === CALLS_AT_ONCE) return;
      underWay += 1;
      // After the microtasks of this turn: the lanes that are at it in it go together, and none waits
      // for the next one, which under load comes after every delivery that is at the door.
      process.nextTick(() => void flush());
    });
}

/** Never rejects: each of the batch gets its own result or error. */
async function keep(
  store: Pick<DecidePort, "commit">,
  worker: string,
  batch: readonly Waiting[],
): Promise<void> {
  try {
    const results = await store.commit(
      worker,
      batch.map(({ transition }) => transition),
    );
    batch.forEach(({ resolve }, place) => resolve(results[place] ?? "fenced"));
  } catch (error) {
    // One that no store can keep must not take the others with it.
    const alone = error instanceof StoreError && error.code === "store-data" && batch.length > 1;
    if (!alone) for (const { reject } of batch) reject(error);
    else for (const one of batch) await keep(store, worker, [one]);
  }
}
