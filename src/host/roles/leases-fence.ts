import { StoreError } from "../../runtime/store/errors.ts";
import type { Store } from "../../runtime/store/store.ts";

/** What whoever leads writes down for all. */
export type LeaderStore = Pick<
  Store,
  "coverage" | "coverageGaps" | "cover" | "getMeta" | "setMeta" | "journal" | "prune"
>;

/**
 * The store for whoever leads: once another may have taken the lead, what it still writes is refused. A process that was
 * stopped for a while would claim time that the next leader knows better of.
 *
 * @param leads Whether the lease holds at this moment.
 */
export function fencedStore(store: LeaderStore, leads: () => boolean): LeaderStore {
  const fence = async <T>(write: () => Promise<T>): Promise<T> => {
    if (leads()) return write();
    throw new StoreError("store-io", "another process may lead by now: nothing is written for it");
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
