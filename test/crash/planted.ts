import { setTimeout as delay } from "node:timers/promises";
import type { ItemTransition } from "../../src/runtime/store/item.ts";
import type { Store } from "../../src/runtime/store/store.ts";

/** Bugs that are planted between the runtime and its store, to check that a run finds them. */
export const BUGS = {
  "marks-after-sending": "an item is marked as under way only when its request is over",
  "never-reconciles": "what was left under way or unknown is not looked at again",
  "repeats-unread": "what is unknown is sent again without reading the platform",
  "acknowledges-first": "a delivery is acknowledged before it is on disk, and nothing is read back",
  "forgets-timers": "a run that waits for a time is kept without it",
} as const;

export type BugName = keyof typeof BUGS;

/** Whether a text is the name of a planted bug. */
export function isBug(name: string): name is BugName {
  return Object.hasOwn(BUGS, name);
}

/** Returns a store with a planted bug. */
export function planted(store: Store, bug: BugName): Store {
  return { ...delegating(store), ...WITH[bug](store) };
}

const LATE_MS = 150;

const WITH: Readonly<Record<BugName, (store: Store) => Partial<Store>>> = {
  "marks-after-sending": (store) => {
    const held = new Map<number, ItemTransition>();
    return {
      async commit(worker, transitions) {
        const results = await store.commit(
          worker,
          transitions.map(({ sends: _sends, ...one }) => one),
        );
        const claimed = transitions.map(async ({ sends, lane, partition, epoch, at }, place) => {
          const result = results[place] ?? "fenced";
          if (sends === undefined || result !== "committed") return result;
          const items = await store.items({ lane, status: "pending", limit: 9 });
          const item = items.find(({ key }) => key === sends);
          if (item === undefined) return result;
          held.set(item.id, { id: item.id, partition, epoch, from: "pending", to: "sending", at });
          return { sending: item.id };
        });
        return Promise.all(claimed);
      },
      async changeItems(worker, transitions) {
        const results = transitions.map(async (one) => {
          if (one.to === "sending") {
            held.set(one.id, one);
            return "committed" as const;
          }
          const mark = held.get(one.id);
          held.delete(one.id);
          if (mark !== undefined) await store.changeItems(worker, [mark]);
          const [result = "already-done"] = await store.changeItems(worker, [one]);
          return result;
        });
        return Promise.all(results);
      },
    };
  },
  "never-reconciles": () => ({ openItems: async () => [] }),
  "repeats-unread": (store) => ({
    changeItems: (worker, transitions) =>
      store.changeItems(
        worker,
        transitions.map((one) =>
          one.to === "unknown" ? { ...one, to: "pending", notBefore: one.at } : one,
        ),
      ),
  }),
  "acknowledges-first": (store) => ({
    async append(entries) {
      if (entries.some(({ source }) => source === "backfill")) {
        return entries.map((_, seq) => ({ outcome: "duplicate", seq }));
      }
      void delay(LATE_MS).then(() => store.append(entries));
      return entries.map((_, seq) => ({ outcome: "new", seq }));
    },
    // Hides gaps of coverage: otherwise the bot would fetch the lost messages after its start, and repair the loss.
    coverage: async () => [],
    coverageGaps: async () => [],
  }),
  "forgets-timers": (store) => ({
    commit: (worker, transitions) =>
      store.commit(
        worker,
        transitions.map((one) => ({ ...one, timers: [] })),
      ),
  }),
};

/** Copies a store into an object whose methods can be replaced one by one. */
export function delegating(store: Store): Store {
  return {
    partitions: store.partitions,
    isShared: store.isShared,
    append: (entries) => store.append(entries),
    lease: (worker, ttlMs) => store.lease(worker, ttlMs),
    release: (worker) => store.release(worker),
    releaseEnded: (worker) => store.releaseEnded(worker),
    clock: () => store.clock(),
    partitionLag: (leases) => store.partitionLag(leases),
    attend: (...note) => store.attend(...note),
    fetch: (...query) => store.fetch(...query),
    listeners: (lane) => store.listeners(lane),
    slots: (names) => store.slots(names),
    runsOf: (seq) => store.runsOf(seq),
    silences: (lane) => store.silences(lane),
    escalations: (query) => store.escalations(query),
    resolveEscalation: (id, at) => store.resolveEscalation(id, at),
    load: (keys) => store.load(keys),
    openRuns: (...query) => store.openRuns(...query),
    ruleSource: (revision) => store.ruleSource(revision),
    pauses: () => store.pauses(),
    setPause: (change) => store.setPause(change),
    commit: (...write) => store.commit(...write),
    dueItems: (...query) => store.dueItems(...query),
    openItems: (...query) => store.openItems(...query),
    overdueItems: (...query) => store.overdueItems(...query),
    changeItems: (...write) => store.changeItems(...write),
    coverage: (query) => store.coverage(query),
    coverageGaps: (query) => store.coverageGaps(query),
    cover: (...write) => store.cover(...write),
    journal: (query) => store.journal(query),
    items: (query) => store.items(query),
    isForgotten: (event) => store.isForgotten(event),
    stats: () => store.stats(),
    getMeta: (name) => store.getMeta(name),
    metas: (prefix) => store.metas(prefix),
    setMeta: (...write) => store.setMeta(...write),
    changeMetas: (changes) => store.changeMetas(changes),
    prune: (times) => store.prune(times),
    forget: (person) => store.forget(person),
    startRestored: (...call) => store.startRestored(...call),
    hold: () => store.hold(),
    letGo: () => store.letGo(),
    close: () => store.close(),
  };
}
