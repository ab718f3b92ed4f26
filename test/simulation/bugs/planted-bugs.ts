import type { ItemTransition } from "../../../src/runtime/store/item.ts";
import type { NewEntry } from "../../../src/runtime/store/entry.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { Plant } from "../simulate.ts";
import type { Problem } from "../verdict.ts";

/** Plausible bug, planted by changing the calls between the runtime's pipeline and its store. */
export interface PlantedBug {
  /** Description of the wrong behaviour. */
  readonly name: string;
  /** Kind of problem that reveals the bug. */
  readonly shows: Problem["kind"];
  readonly plant: Plant;
}

/** Bugs that the simulation must detect; otherwise it is too weak. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  { name: "sends before it has marked the item", shows: "doubled", plant: sendsBeforeMarking },
  { name: "marks an item and never tries again", shows: "muted", plant: neverTriesAgain },
  { name: "loses the last appended group", shows: "lost", plant: losesLastGroup },
  { name: "claims one message for two items", shows: "lost", plant: claimsTwice },
  { name: "forgets a timer", shows: "muted", plant: forgetsTimers },
  { name: "sends although another has taken over", shows: "doubled", plant: sendsUnleased },
  { name: "sends again at once what has no answer", shows: "doubled", plant: repeatsAtOnce },
  { name: "takes a lane's inputs in from the last", shows: "out of order", plant: takesLastFirst },
  { name: "forgets when a rule last ran", shows: "doubled", plant: forgetsState },
];

/** Stores the mark `sending` of an item only together with the result of its request. */
function sendsBeforeMarking(store: Store): Store {
  const marks = new Map<number, ItemTransition>();
  return {
    ...store,
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
        const { id } = item;
        marks.set(id, { id, partition, epoch, from: "pending", to: "sending", at });
        return { sending: id };
      });
      return Promise.all(claimed);
    },
    async changeItems(worker, changes) {
      if (changes.every(({ to }) => to === "sending")) {
        for (const change of changes) marks.set(change.id, change);
        return changes.map(() => "committed");
      }
      const marked = changes.flatMap(({ id }) => marks.get(id) ?? []);
      for (const { id } of marked) marks.delete(id);
      if (marked.length > 0) await store.changeItems(worker, marked);
      return store.changeItems(worker, changes);
    },
  };
}

/** Ignores outbox items that were being sent at a crash, or whose outcome is unknown. */
function neverTriesAgain(store: Store): Store {
  return { ...store, openItems: async () => [] };
}

/** Acknowledges entries up to 300 ms before they are written, so that a crash loses them. */
function losesLastGroup(store: Store): Store {
  let group: NewEntry[] = [];
  const write = (): void => {
    const entries = group;
    group = [];
    void store.append(entries).catch(() => {});
  };
  return {
    ...store,
    async append(entries) {
      if (group.length === 0) setTimeout(write, 300);
      group.push(...entries);
      return entries.map(() => ({ outcome: "new", seq: 0 }));
    },
  };
}

/** Hides the platform's ids of sent items, so that a look-up attributes their messages to other items. */
function claimsTwice(store: Store): Store {
  return {
    ...store,
    async items(query) {
      const items = await store.items(query);
      return items.map(({ platformId: _hidden, ...item }) => item);
    },
  };
}

/** Drops the timers of one transition in five. */
function forgetsTimers(store: Store): Store {
  return {
    ...store,
    commit: (worker, transitions) =>
      store.commit(
        worker,
        transitions.map((one) => (Math.random() < 0.2 ? { ...one, timers: [] } : one)),
      ),
  };
}

/** Treats leases as permanent, and reports a write that the store has fenced off (`fenced`) as committed. */
function sendsUnleased(store: Store): Store {
  return {
    ...store,
    async lease(worker, ttlMs) {
      const leases = await store.lease(worker, ttlMs);
      return leases.map((lease) => ({ ...lease, until: Infinity }));
    },
    async changeItems(worker, changes) {
      const results = await store.changeItems(worker, changes);
      return results.map((result) => (result === "fenced" ? "committed" : result));
    },
  };
}

/** Treats a request without an answer as one that had no effect. */
function repeatsAtOnce(store: Store): Store {
  return {
    ...store,
    changeItems: (worker, changes) =>
      store.changeItems(
        worker,
        changes.map((one) =>
          one.to === "unknown" ? { ...one, to: "pending", notBefore: one.at } : one,
        ),
      ),
  };
}

function takesLastFirst(store: Store): Store {
  return {
    ...store,
    fetch: async (...args) => (await store.fetch(...args)).toReversed(),
  };
}

/** Loses every write of user state, so that cooldowns have no effect. */
function forgetsState(store: Store): Store {
  return {
    ...store,
    commit: (worker, transitions) =>
      store.commit(
        worker,
        transitions.map((one) => ({ ...one, state: [] })),
      ),
  };
}
