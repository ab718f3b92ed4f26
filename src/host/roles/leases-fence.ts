import { StoreError } from "../../runtime/store/errors.ts";
import type { Store } from "../../runtime/store/store.ts";

/** Methods of the store that the leader uses. */
export type LeaderStore = Pick<
  Store,
  "coverage" | "coverageGaps" | "cover" | "getMeta" | "setMeta" | "journal" | "prune"
>;

/** Refusal of a write, because another process may lead. */
class FencedError extends StoreError {
  constructor() {
    super("store-io", "another process may be the leader now, so this process writes nothing");
  }
}

/** Awaits the stop of the leader's work. After the loss of the lead, a refusal of its last write is expected. */
export async function unlessFenced(stopping: Promise<void>): Promise<void> {
  try {
    await stopping;
  } catch (error) {
    if (!(error instanceof FencedError)) throw error;
  }
}

/**
 * Fences the leader's store: its writes are rejected once another process may lead. A suspended process could otherwise
 * claim coverage for a time that the next leader has already examined.
 *
 * @param leads Returns whether this process holds the leader's lease now.
 */
export function fencedStore(store: LeaderStore, leads: () => boolean): LeaderStore {
  const fence = async <T>(write: () => Promise<T>): Promise<T> => {
    if (leads()) return write();
    throw new FencedError();
  };
  return {
    coverage: (...query) => store.coverage(...query),
    coverageGaps: (...query) => store.coverageGaps(...query),
    cover: (...changes) => fence(() => store.cover(...changes)),
    getMeta: (name) => store.getMeta(name),
    setMeta: (...value) => fence(() => store.setMeta(...value)),
    journal: (...query) => store.journal(...query),
    prune: (...times) => fence(() => store.prune(...times)),
  };
}
