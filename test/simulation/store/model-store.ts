import type { ItemResult, TransitionResult } from "../../../src/runtime/store/transition.ts";
import { PresentProcesses } from "../../../src/runtime/store/presence.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { LeaseKey } from "./model-leases.ts";
import type { ModelTables } from "./model-tables.ts";

/** Call of the store: its description for the trace, and its effect on the tables. */
export interface StoreCall<T> {
  readonly name: string;
  /** Describes the arguments in a few words. Called only if the trace is recorded. */
  readonly about: () => string;
  /** Describes the result in a few words for the trace. Absent if the result is not worth a line. */
  readonly outcome?: (result: T) => string;
  /** Returns the lanes (conversations) that the arguments of the call name. */
  readonly lanes?: () => readonly (string | undefined)[];
  /** Whether the call changes the tables. If so, its change may persist although the caller gets an error. */
  readonly writes: boolean;
  /** Executes the call on the tables, as one transaction. */
  readonly act: () => T;
}

type Telling<T> = Pick<StoreCall<T>, "outcome" | "lanes">;

/** Decides when a call reaches the disk, when its result returns, and which fault occurs. */
export type StoreDoor = <T>(call: StoreCall<T>) => Promise<T>;

/**
 * Implements the store's contract on the model's tables. Each call goes through `door`.
 *
 * @param isShared Whether other processes may use the store, too.
 */
export function modelStore(tables: ModelTables, door: StoreDoor, isShared = false): Store {
  const write = <T>(
    name: string,
    about: () => string,
    act: () => T,
    telling: Telling<T> = {},
  ): Promise<T> => door({ name, about, act, writes: true, ...telling });
  const read = <T>(name: string, act: () => T, telling: Telling<T> = {}): Promise<T> =>
    door({ name, about: () => "", act, writes: false, ...telling });

  const present = new PresentProcesses();
  let toldLeases: string | undefined;
  /** Describes leases that changed since the last call. Renewals without a change give an empty text. */
  const leasesText = (leases: readonly LeaseKey[]): string => {
    const text = leases.map(({ partition, epoch }) => `${partition}@${epoch}`).join(" ") || "none";
    const isNews = text !== toldLeases;
    toldLeases = text;
    return isNews ? text : "";
  };

  return {
    partitions: tables.leases.partitions,
    isShared,
    append: (entries) =>
      write(
        "append",
        () => entries.map(({ key }) => key).join(", "),
        () => tables.append(entries),
        {
          outcome: (results) => results.map(({ outcome, seq }) => `${outcome} ${seq}`).join(", "),
          lanes: () => entries.map(({ lane }) => lane),
        },
      ),
    async lease(worker, ttlMs) {
      // The lease's end is computed before the call, so it is earlier than the end that the store computes.
      const until = performance.now() + ttlMs;
      const held = await write(
        "lease",
        () => "",
        () => tables.leases.lease(worker, ttlMs),
        { outcome: leasesText },
      );
      return held.map((lease) => ({ ...lease, until }));
    },
    release: (worker) =>
      write(
        "release",
        () => "",
        () => tables.leases.release(worker),
      ),
    releaseEnded: (worker) =>
      write(
        "releaseEnded",
        () => "",
        () => tables.leases.release(worker),
      ),
    clock: () => Promise.resolve(Date.now()),
    partitionLag: (leases) => read("partitionLag", () => tables.partitionLag(leases)),
    attend: (...note) => Promise.resolve(present.attend(...note)),
    fetch: (leases, now, limit, busy) =>
      read("fetch", () => tables.fetch(leases, now, limit, busy), {
        outcome: (inputs) => inputs.map(({ input }) => input).join(", "),
      }),
    listeners: (lane) => read("listeners", () => tables.listeners(lane)),
    slots: (names) => read("slots", () => tables.runs.slots(names)),
    runsOf: (seq) => read("runsOf", () => tables.runs.runsOf(seq)),
    silences: (lane) => read("silences", () => tables.escalations.silences(lane)),
    escalations: (query) => read("escalations", () => tables.escalations.list(query)),
    resolveEscalation: (id, at) =>
      write(
        "resolveEscalation",
        () => String(id),
        () => tables.escalations.resolve(id, at),
      ),
    load: (keys) => read("load", () => tables.load(keys)),
    openRuns: (leases, query) =>
      read("openRuns", () => tables.runs.list(tables.leases.covers(leases), query)),
    ruleSource: (revision) => read("ruleSource", () => tables.runs.sources.get(revision)),
    commit: (worker, transitions) =>
      write(
        "commit",
        () => transitions.map(({ input, outcome }) => `${outcome} ${inputName(input)}`).join(", "),
        () => transitions.map((one) => tables.commit(worker, one)),
        { outcome: resultsText, lanes: () => transitions.map(({ lane }) => lane) },
      ),
    dueItems: (leases, now, limit) =>
      read(
        "dueItems",
        () => {
          const covered = tables.leases.covers(leases);
          const wanted = (lane: string): boolean => covered(lane) && !tables.isPaused(lane);
          return tables.outbox.due(now, wanted, limit);
        },
        { outcome: (items) => items.map(({ id }) => `item ${id}`).join(", ") },
      ),
    overdueItems: (leases, now, limit) =>
      read("overdueItems", () => tables.outbox.overdue(now, tables.leases.covers(leases), limit)),
    openItems: (leases, query) =>
      read("openItems", () => tables.outbox.listOpen(tables.leases.covers(leases), query)),
    changeItems: (worker, changes) =>
      write(
        "changeItems",
        () => changes.map(({ id, from, to }) => `item ${id} ${from} -> ${to}`).join(", "),
        () => changes.map((one) => tables.changeItem(worker, one)),
        {
          outcome: resultsText,
          lanes: () => changes.map(({ id }) => tables.outbox.items.get(id)?.lane),
        },
      ),
    pauses: () => read("pauses", () => tables.listPauses()),
    setPause: (change) =>
      write(
        "setPause",
        () => change.account ?? "all",
        () => tables.setPause(change),
      ),
    coverage: (query) => read("coverage", () => tables.coverage.list(query)),
    coverageGaps: (query) => read("coverageGaps", () => tables.coverage.gaps(query)),
    cover: (changes) =>
      write(
        "cover",
        () => "",
        () => tables.coverage.cover(changes),
      ),
    journal: (query) => read("journal", () => tables.journal(query)),
    items: (query) => read("items", () => tables.outbox.list(query)),
    isForgotten: () => Promise.resolve(false),
    stats: () => read("stats", () => tables.stats()),
    getMeta: (name) => read("getMeta", () => tables.meta.get(name)),
    setMeta: (name, value) =>
      write(
        "setMeta",
        () => name,
        () => void tables.meta.set(name, value),
      ),
    metas: (prefix) =>
      read("metas", () => new Map([...tables.meta].filter(([name]) => name.startsWith(prefix)))),
    changeMetas: (changes) =>
      write(
        "changeMetas",
        () => changes.map(({ name }) => name).join(", "),
        () => {
          if (changes.every(({ name, to }) => tables.meta.get(name) === to)) return true;
          if (changes.some(({ name, was }) => tables.meta.get(name) !== was)) return false;
          for (const { name, to } of changes) {
            if (to === undefined) tables.meta.delete(name);
            else tables.meta.set(name, to);
          }
          return true;
        },
      ),
    prune: (times) =>
      write(
        "prune",
        () => "",
        () => tables.prune(times),
      ),
    startRestored: () => Promise.resolve(0),
    // The simulation does not cover forgetting a person, nor backups.
    forget: () => Promise.reject(new Error("the model forgets nobody")),
    hold: () => Promise.reject(new Error("the model has no file")),
    letGo: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  };
}

function inputName(
  input: { readonly kind: string } & ({ readonly id: unknown } | { readonly run: string }),
): string {
  return `${input.kind}/${"id" in input ? String(input.id) : input.run}`;
}

function resultsText(results: readonly (ItemResult | TransitionResult)[]): string {
  return results
    .map((result) => (typeof result === "object" ? `item ${result.sending} is sending` : result))
    .join(", ");
}
