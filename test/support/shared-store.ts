import type { Item } from "../../src/runtime/store/item.ts";
import type { Lease } from "../../src/runtime/store/lease.ts";
import type { OpenRun } from "../../src/runtime/store/run.ts";
import type { Store } from "../../src/runtime/store/store.ts";

/** Opened SQLite store that several runtimes in this process use as a shared store. */
export interface SharedStore {
  /** Returns the store for a runtime. When the runtime closes it, the store stays open. */
  readonly open: () => Promise<Store>;
  /** Ends the leases of a worker at once, and refuses new ones, as if its process had died. */
  kill(worker: string): void;
  close(): Promise<void>;
}

/** Worker name under which this module leases all partitions of the wrapped store. */
const HOLDER = "all of them";
const HOLD_MS = 24 * 60 * 60_000;

/** Wraps a store that supports one worker at a time, and divides its partitions among several workers. */
export async function sharedStore(store: Store): Promise<SharedStore> {
  const real = await store.lease(HOLDER, HOLD_MS);
  const grants = new Map<number, { worker: string; epoch: number; until: number }>();
  const dead = new Set<string>();
  const workers = new Map<string, number>();
  const realOf = (leases: readonly Pick<Lease, "partition" | "epoch">[]): Lease[] =>
    leases.flatMap(({ partition, epoch }) => {
      const lease = grants.get(partition)?.epoch === epoch ? real[partition] : undefined;
      return lease === undefined ? [] : [lease];
    });
  const fenced = async <T extends { readonly partition: number; readonly epoch: number }, Result>(
    worker: string,
    changes: readonly T[],
    write: (allowed: readonly T[]) => Promise<readonly Result[]>,
  ): Promise<readonly (Result | "fenced")[]> => {
    const allowed = changes.filter(({ partition, epoch }) => {
      const lease = grants.get(partition);
      return lease?.worker === worker && lease.epoch === epoch;
    });
    const results = await write(
      allowed.map((one) => ({ ...one, epoch: real[one.partition]?.epoch ?? 0 })),
    );
    return changes.map((one) => results[allowed.indexOf(one)] ?? "fenced");
  };
  const lease = (worker: string, ttlMs: number): readonly Lease[] => {
    if (dead.has(worker)) throw new Error("this process has died");
    const now = performance.now();
    workers.set(worker, now + ttlMs);
    for (const [name, until] of workers) if (until <= now) workers.delete(name);
    const fair = Math.ceil(real.length / workers.size);
    const own = [...grants].filter(([, one]) => one.worker === worker && one.until > now);
    for (const [partition, one] of own) {
      if (own.length > fair && own.findIndex(([n]) => n === partition) >= fair) one.until = 0;
      else one.until = now + ttlMs;
    }
    let count = Math.min(own.length, fair);
    for (const { partition } of real) {
      const before = grants.get(partition);
      if (count >= fair || (before !== undefined && before.until > now)) continue;
      const epoch = (before?.epoch ?? 0) + 1;
      grants.set(partition, { worker, epoch, until: now + ttlMs });
      count += 1;
    }
    return [...grants]
      .filter(([, one]) => one.worker === worker && one.until > now)
      .map(([partition, { epoch, until }]) => ({ partition, epoch, until }));
  };
  const seen: Pick<
    Store,
    "lease" | "release" | "fetch" | "openRuns" | "dueItems" | "overdueItems" | "openItems"
  > = {
    lease: async (...args) => lease(...args),
    release: async (worker) => {
      workers.delete(worker);
      for (const one of grants.values()) if (one.worker === worker) one.until = 0;
    },
    fetch: (leases, ...query) => store.fetch(realOf(leases), ...query),
    openRuns: (leases, query): Promise<readonly OpenRun[]> => store.openRuns(realOf(leases), query),
    dueItems: (leases, ...query): Promise<readonly Item[]> =>
      store.dueItems(realOf(leases), ...query),
    overdueItems: (leases, ...query) => store.overdueItems(realOf(leases), ...query),
    openItems: (leases, query) => store.openItems(realOf(leases), query),
  };
  const shared: Partial<Store> = {
    ...seen,
    isShared: true,
    commit: (worker, transitions) =>
      fenced(worker, transitions, (allowed) => store.commit(HOLDER, allowed)),
    changeItems: (worker, changes) =>
      fenced(worker, changes, (allowed) => store.changeItems(HOLDER, allowed)),
    partitionLag: (leases) => store.partitionLag(realOf(leases)),
    close: async () => {},
  };
  return {
    open: async () =>
      new Proxy(store, {
        get(target, name: keyof Store) {
          if (name in shared) return shared[name];
          const value = target[name];
          return typeof value === "function" ? value.bind(target) : value;
        },
      }),
    kill(worker) {
      dead.add(worker);
      workers.delete(worker);
      for (const one of grants.values()) if (one.worker === worker) one.until = 0;
    },
    close: () => store.close(),
  };
}
