import { StoreError } from "../runtime/records.ts";
import type { DueTimes, Store } from "../runtime/vocabulary.ts";

/** A store whose process a test can kill. Later calls are rejected and store nothing. */
export interface MortalStore {
  readonly store: Store;
  isDead(): boolean;
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
      changeItems: (...[worker, changes]: Parameters<Store["changeItems"]>) =>
        alive(() => {
          for (const { notBefore } of changes) if (notBefore !== undefined) due.add(notBefore);
          return innerStore.changeItems(worker, changes);
        }),
    }),
    isDead: () => isDead,
    async die() {
      isDead = true;
      await innerStore.close();
    },
  };
}
