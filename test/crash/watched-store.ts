import type { ItemTransition } from "../../src/runtime/store/item.ts";
import type { OpenItemQuery } from "../../src/runtime/store/listings.ts";
import type { Store } from "../../src/runtime/store/store.ts";
import type { Transition } from "../../src/runtime/store/transition.ts";
import type { PointName } from "./points.ts";
import type { Pass } from "./trigger.ts";

/** Name of an operation of the store. Its kill points add the suffix `:before` or `:after`. */
type Change = Before<PointName>;
type Before<Point> = Point extends `${infer Name}:before` ? Name : never;

/** Wraps a store: it passes a point before and after each write, and after each read that returns something. */
export function watchedStore(store: Store, pass: Pass): Store {
  /** Items that this process has marked as `sending`. */
  const own = new Set<number>();

  const around = async <T>(changes: readonly Change[], write: () => Promise<T>): Promise<T> => {
    for (const change of new Set(changes)) pass(`${change}:before`);
    const result = await write();
    for (const change of new Set(changes)) pass(`${change}:after`);
    return result;
  };
  const read = async <T extends readonly unknown[]>(
    point: PointName | undefined,
    rows: Promise<T>,
  ): Promise<T> => {
    const result = await rows;
    if (point !== undefined && result.length > 0) pass(point);
    return result;
  };

  return {
    partitions: store.partitions,
    isShared: store.isShared,
    append: (entries) => around(["append"], () => store.append(entries)),
    lease: (worker, ttlMs) => around(["lease"], () => store.lease(worker, ttlMs)),
    release: (worker) => store.release(worker),
    releaseEnded: (worker) => store.releaseEnded(worker),
    clock: () => store.clock(),
    partitionLag: (leases) => store.partitionLag(leases),
    attend: (...note) => store.attend(...note),
    onNews: (listener) => store.onNews?.(listener) ?? (() => {}),
    fetch: (...query) => read("fetch:after", store.fetch(...query)),
    listeners: (lane) => store.listeners(lane),
    slots: (names) => store.slots(names),
    runsOf: (seq) => store.runsOf(seq),
    silences: (lane) => store.silences(lane),
    escalations: (query) => store.escalations(query),
    resolveEscalation: (id, at) => store.resolveEscalation(id, at),
    load: (keys) => store.load(keys),
    openRuns: (leases, query) => read("left-ready:after", store.openRuns(leases, query)),
    ruleSource: (revision) => store.ruleSource(revision),
    pauses: () => store.pauses(),
    setPause: (change) => store.setPause(change),
    async commit(worker, transitions) {
      const changes = transitions.flatMap((one): readonly Change[] =>
        one.sends === undefined ? [transitionName(one)] : [transitionName(one), "sending"],
      );
      const results = await around(changes, () => store.commit(worker, transitions));
      for (const result of results) if (typeof result === "object") own.add(result.sending);
      if (transitions.some(({ runs }) => runs.some(({ status }) => status === "ready"))) {
        pass("effect:ready");
      }
      return results;
    },
    dueItems: (...query) => read("due-items:after", store.dueItems(...query)),
    overdueItems: (...query) => store.overdueItems(...query),
    coverage: (query) => store.coverage(query),
    coverageGaps: (query) => store.coverageGaps(query),
    cover: (...write) => around(["cover"], () => store.cover(...write)),
    openItems: (leases, query) => read(leftPoint(query.status), store.openItems(leases, query)),
    changeItems(worker, transitions) {
      const changes = transitions.flatMap((one) => itemChange(one, own) ?? []);
      return around(changes, () => store.changeItems(worker, transitions));
    },
    journal: (query) => store.journal(query),
    items: (query) => store.items(query),
    isForgotten: (event) => store.isForgotten(event),
    stats: () => store.stats(),
    getMeta: (name) => store.getMeta(name),
    metas: (prefix) => store.metas(prefix),
    setMeta: (name, value) => around(["meta"], () => store.setMeta(name, value)),
    changeMetas: (changes) => around(["meta"], () => store.changeMetas(changes)),
    prune: (times) => around(["prune"], () => store.prune(times)),
    // No kill points: this test does not kill the bot while it forgets a person or makes a backup.
    forget: (person) => store.forget(person),
    startRestored: (...call) => store.startRestored(...call),
    hold: () => store.hold(),
    letGo: () => store.letGo(),
    close: () => store.close(),
  };
}

function transitionName({ input, decision }: Transition): Change {
  switch (input.kind) {
    case "timer":
      return "timer-due";
    case "effect":
      return "effect-settled";
    case "inbox":
      return decision === undefined ? "item-settled" : "decide";
  }
}

function leftPoint(status: OpenItemQuery["status"]): PointName | undefined {
  if (status === "sending") return "left-sending:after";
  return status === "unknown" ? "left-unknown:after" : undefined;
}

/**
 * Returns the kill point of an item's change. Items that an earlier process marked as `sending` have other points.
 *
 * @param own Items that this process has marked as `sending`. The function adds to them.
 */
function itemChange({ id, from, to }: ItemTransition, own: Set<number>): Change | undefined {
  if (to === "sending") {
    own.add(id);
    return "sending";
  }
  if (from === "sending" && !own.has(id)) return "recovered";
  if (from === "unknown") return to === "sent" ? "found" : "absent";
  if (from !== "sending") return undefined;
  if (to === "sent") return "sent";
  if (to === "unknown") return "unknown";
  return to === "pending" ? "put-off" : undefined;
}
