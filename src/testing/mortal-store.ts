import { StoreError } from "../runtime/records.ts";
import type { DueTimes, Lease, Store } from "../runtime/vocabulary.ts";

/** A store whose process a test can kill. Later calls are rejected and store nothing. */
export interface MortalStore {
  readonly store: Store;
  isDead(): boolean;
  /** Whether an item can be sent at `now`: it is the first of its lane, for example, and its account is not paused. */
  hasDueItem(now: number): Promise<boolean>;
  /** Number of times that the runtime has begun to look up the items of unknown outcome on the platform. */
  lookups(): number;
  /** Simulates the kill of the process. Later calls do not change the database file. */
  die(): Promise<void>;
}

/**
 * Wraps a runtime's store, so that a test can simulate the kill of the runtime's process.
 *
 * @param due Collects the times at which stored timers, retries and outgoing items become due.
 */
export function mortalStore(innerStore: Store, due: DueTimes): MortalStore {
  let isDead = false;
  let leases: readonly Lease[] = [];
  let lookups = 0;
  const alive = <T>(call: () => Promise<T>): Promise<T> =>
    isDead ? Promise.reject(new StoreError("store-closed", "the process has been killed")) : call();
  const store = new Proxy(innerStore, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (name === "close") return () => (isDead ? Promise.resolve() : target.close());
      return (...args: readonly unknown[]) => alive(() => Reflect.apply(member, target, args));
    },
  });
  return {
    store: Object.assign(Object.create(store), {
      lease: (...args: Parameters<Store["lease"]>) =>
        alive(async () => (leases = await innerStore.lease(...args))),
      commit: (...[worker, transitions]: Parameters<Store["commit"]>) =>
        alive(() => {
          for (const { timers, items, retryAt } of transitions) {
            for (const { dueAt } of timers) due.add(dueAt);
            for (const { notBefore, expiresAt } of items) {
              due.add(notBefore);
              if (expiresAt !== undefined) due.add(expiresAt);
            }
            if (retryAt !== undefined) due.add(retryAt);
          }
          return innerStore.commit(worker, transitions);
        }),
      openItems: (...[held, query]: Parameters<Store["openItems"]>) => {
        if (query.status === "unknown" && query.after === 0) lookups += 1;
        return alive(() => innerStore.openItems(held, query));
      },
      changeItems: (...[worker, changes]: Parameters<Store["changeItems"]>) =>
        alive(() => {
          for (const { to, at, notBefore } of changes) {
            if (notBefore !== undefined) due.add(notBefore);
            if (to === "unknown") due.add(at + LOOKED_UP_MS);
          }
          return innerStore.changeItems(worker, changes);
        }),
    }),
    isDead: () => isDead,
    lookups: () => lookups,
    hasDueItem: async (now) => (await innerStore.dueItems(leases, now, 1)).length > 0,
    async die() {
      isDead = true;
      await innerStore.close();
    },
  };
}

/** Milliseconds after which an item of unknown outcome may be looked up: the time limit of its request, and more. */
const LOOKED_UP_MS = 60_000;
