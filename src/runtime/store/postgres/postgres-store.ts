import { randomUUID } from "node:crypto";
import { StoreError } from "../errors.ts";
import type { AppendResult, NewEntry } from "../entry.ts";
import type { Item } from "../item.ts";
import type { Lease } from "../lease.ts";
import type { ItemQuery, JournalQuery, JournalRow } from "../listings.ts";
import { partitionOf } from "../partition.ts";
import type { News } from "../presence.ts";
import type { Store } from "../store.ts";
import type { StoreMigration } from "../written-by.ts";
import type { ItemResult, StateValue, TransitionResult } from "../transition.ts";
import { appendAll } from "./append.ts";
import { checkUrl, PostgresDatabase, type DatabaseOptions } from "./database.ts";
import { refuseUnsafeServer } from "./durability.ts";
import { Grouped } from "./grouped.ts";
import { LeaseTable } from "./leases.ts";
import { Notifications } from "./notifications.ts";
import { covers, isInboxEmpty, PollCache } from "./poll-cache.ts";
import * as coverage from "./tables/coverage.ts";
import * as escalations from "./tables/escalations.ts";
import { fetchInputs } from "./tables/inbox.ts";
import { journalPage, stats } from "./tables/journal.ts";
import * as outbox from "./tables/outbox.ts";
import { pauses, putAside, setPause, toPause } from "./tables/pauses.ts";
import * as presence from "./tables/presence.ts";
import * as runs from "./tables/runs.ts";
import { changeMetas, getMetas, metas, setMeta } from "./tables/meta.ts";
import { loadState } from "./tables/state.ts";
import { prepareStore, type PreparedStore } from "./schema.ts";
import { forget, FORGETTING, isForgotten } from "./upkeep/forget.ts";
import { prune } from "./upkeep/prune.ts";
import { startRestored } from "./upkeep/restored.ts";
import { Decider } from "./work/decide.ts";
import type { Answered, StoreOperation } from "./work/operation.ts";

/** Options of a store in PostgreSQL. */
export interface PostgresOptions extends DatabaseOptions {
  /** Called after this process migrated the tables from an older version. */
  readonly onMigrated?: (migrated: StoreMigration) => void;
  /** Returns monotonic milliseconds. Default: `performance.now()`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Opens the store in a PostgreSQL database. Its tables are in the first schema of the connection's search path. They are
 * created or migrated if necessary.
 *
 * @throws {UsageError} if the server's settings can lose acknowledged data.
 * @throws {StoreError} if `url` can't be parsed, or the database can't be reached, refuses the user, or has tables of a
 *   newer version.
 */
export async function openPostgresStore(
  url: string,
  options: PostgresOptions = {},
): Promise<Store> {
  checkUrl(url);
  const db = new PostgresDatabase(url, options);
  try {
    await refuseUnsafeServer(db, options);
    const prepared = await prepareStore(db, options.readOnly === true);
    if (prepared.migrated !== undefined) options.onMigrated?.(prepared.migrated);
    return new PostgresStore({ db, now: options.now ?? monotonic }, prepared);
  } catch (error) {
    await db.close();
    throw error;
  }
}

const monotonic = (): number => performance.now();

function groupedLoads(
  db: PostgresDatabase,
): Grouped<readonly string[], ReadonlyMap<string, StateValue>> {
  return new Grouped(
    async (calls) => {
      const values = await loadState(db, [...new Set(calls.flat())]);
      return calls.map(
        (keys): ReadonlyMap<string, StateValue> =>
          new Map(keys.flatMap((key) => entryOf(values, key))),
      );
    },
    ({ length }) => length,
  );
}

function groupedMetas(
  db: PostgresDatabase,
): Grouped<string, { readonly value: string | undefined }> {
  return new Grouped(
    async (names) => {
      const values = await getMetas(db, [...new Set(names)]);
      return names.map((name) => ({ value: values.get(name) }));
    },
    () => 1,
  );
}

/** Store on a PostgreSQL server that many processes share. */
class PostgresStore implements Store {
  readonly partitions: number;
  readonly isShared = true;
  readonly #db: PostgresDatabase;
  readonly #leases: LeaseTable;
  readonly #appends: Grouped<readonly NewEntry[], readonly AppendResult[]>;
  readonly #work: Grouped<StoreOperation, Answered>;
  readonly #metas: Grouped<string, { readonly value: string | undefined }>;
  readonly #loads: Grouped<readonly string[], ReadonlyMap<string, StateValue>>;
  readonly #secret: string;
  /** Name of this process in the table `counts`, for rows deleted or changed by pruning, forgetting and restoring. */
  readonly #upkeep: string;
  /** Names under which this process registered itself as present. */
  readonly #attended = new Set<string>();
  readonly #decider: Decider;
  readonly #polls: PollCache;
  readonly #notifications: Notifications;
  readonly #now: () => number;
  /** Leases by worker, as of the last call of `lease`. */
  readonly #leased = new Map<string, readonly Lease[]>();
  /** Last read value of {@link FORGETTING}, which changes whenever any process forgets a person. */
  #forgetting: string | undefined;
  readonly #erasureListeners = new Set<() => void>();
  #closing: Promise<void> | undefined;

  constructor(
    { db, now }: { readonly db: PostgresDatabase; readonly now: () => number },
    { partitions, id }: PreparedStore,
  ) {
    const process = randomUUID();
    this.partitions = partitions;
    this.#db = db;
    this.#secret = id;
    this.#upkeep = `${process}/upkeep`;
    this.#now = now;
    this.#leases = new LeaseTable(db, process);
    this.#notifications = new Notifications({
      db,
      store: id,
      process,
      now,
      onNews: (news) => this.#polls.notified(news),
    });
    this.#polls = new PollCache({
      now,
      read: () => presence.pollResults(db, this.#polled()),
      isNotified: () => this.#notifications.isLive(),
    });
    const appending = { db, partitions, secret: id, writer: `${process}/in` };
    this.#appends = new Grouped(
      async (calls) => {
        const results = await appendAll(appending, calls.flat());
        let at = 0;
        return calls.map(({ length }): readonly AppendResult[] =>
          results.slice(at, (at += length)),
        );
      },
      ({ length }) => length,
    );
    this.#loads = groupedLoads(db);
    this.#metas = groupedMetas(db);
    this.#decider = new Decider({
      db,
      leases: this.#leases,
      partitions,
      writer: `${process}/work`,
      onTimerMoved: () => this.#notifyOthers("inputs"),
    });
    this.#work = new Grouped(
      (operations) => this.#decider.keep(operations),
      ({ transitions }) => transitions.length,
    );
  }

  async append(entries: readonly NewEntry[]): Promise<readonly AppendResult[]> {
    this.#checkOpen();
    if (entries.length === 0) return [];
    const results = await this.#changing(this.#appends.add(entries));
    this.#notifyOthers("inputs", () => entries.some(({ lane }) => !this.#holds(this.#place(lane))));
    return results;
  }

  /** Awaits a change of the store, after which polls have to read again. */
  async #changing<T>(change: Promise<T>): Promise<T> {
    try {
      return await change;
    } finally {
      this.#polls.changed();
    }
  }

  /** Notifies the other processes, if there are any, of news that may concern them. */
  #notifyOthers(news: News, isTheirs = (): boolean => true): void {
    if (!this.#polls.isAlone && isTheirs()) this.#notifications.send(news);
  }

  #holds(partition: number): boolean {
    return [...this.#leased.values()].some((leases) =>
      leases.some((lease) => lease.partition === partition),
    );
  }

  #polled() {
    return { holders: this.#leases.holders(), metas: this.#polls.metas };
  }

  async lease(worker: string, ttlMs: number) {
    const { leases, isPaused, forgetting } = await this.#leases.lease(worker, ttlMs);
    const partitions = leases.map(({ partition }) => partition);
    if (isPaused) await this.#changing(putAside(this.#db, partitions));
    this.#followForgetting(forgetting);
    const before = this.#leased.get(worker) ?? [];
    this.#leased.set(worker, leases);
    if (!isSame(before, leases)) this.#polls.changed();
    return leases;
  }

  /** Drops the cached answers and calls the listeners if any process has forgotten a person since the last call. */
  #followForgetting(now: string | undefined): void {
    if (now === this.#forgetting) return;
    this.#forgetting = now;
    this.#decider.dropAnswers();
    for (const listener of this.#erasureListeners) listener();
  }

  clock() {
    return presence.clock(this.#db);
  }

  partitionLag(leases: Parameters<Store["partitionLag"]>[0]) {
    return presence.partitionLag(this.#db, leases);
  }

  async attend(process: string, note: string, ttlMs: number) {
    this.#attended.add(process);
    const channel = this.#notifications.echoChannel;
    const me = { process, note, ttlMs, channel, ...this.#polled() };
    const at = this.#now();
    const { others, results } = await presence.attend(this.#db, me);
    this.#polls.isAlone = others.length === 0;
    this.#polls.put(results, at);
    if (others.length > 0 && this.#leased.size > 0) this.#notifications.follow();
    return [...others, { process, note }].toSorted((a, b) => (a.process < b.process ? -1 : 1));
  }

  onNews(listener: (news: News) => void) {
    return this.#polls.onNews(listener);
  }

  onErased(listener: () => void) {
    this.#erasureListeners.add(listener);
    return () => void this.#erasureListeners.delete(listener);
  }

  async release(worker: string): Promise<void> {
    await this.#leases.release(worker);
    this.#leased.delete(worker);
  }

  async releaseEnded(worker: string): Promise<void> {
    await this.#leases.releaseEnded(worker);
    await presence.leave(this.#db, worker);
  }

  async fetch(...[leases, now, limit, busy = []]: Parameters<Store["fetch"]>) {
    const held = this.#leases.staying(leases);
    if (isInboxEmpty(await this.#polls.forInputs(), held, now)) return [];
    return fetchInputs(this.#db, { leases: held, now, limit, busy }, this.#place);
  }

  listeners(lane: string) {
    return runs.listeners(this.#db, lane, this.#place);
  }

  silences(lane: string) {
    return escalations.silences(this.#db, lane);
  }

  async load(keys: readonly string[]): Promise<ReadonlyMap<string, StateValue>> {
    return keys.length === 0 ? new Map() : this.#loads.add(keys);
  }

  openRuns(...[leases, query]: Parameters<Store["openRuns"]>) {
    return runs.openRuns(this.#db, leases, query, this.#place);
  }

  slots(names: readonly string[]) {
    return runs.slots(this.#db, names, this.#place);
  }

  runsOf(seq: number) {
    return runs.runsOf(this.#db, seq, this.#place);
  }

  ruleSource(revision: string) {
    return runs.ruleSource(this.#db, revision);
  }

  async commit(
    ...[worker, transitions]: Parameters<Store["commit"]>
  ): Promise<readonly TransitionResult[]> {
    this.#checkOpen();
    if (transitions.length === 0) return [];
    const results = await this.#changing(this.#work.add({ kind: "commit", worker, transitions }));
    // Transitions never return `ended`: only changes of items do.
    return results.map((result) => (result === "ended" ? "committed" : result));
  }

  async dueItems(...[leases, now, limit]: Parameters<Store["dueItems"]>) {
    const results = this.#polls.current();
    if (covers(results, leases) && !results.hasReadyItems) return [];
    return outbox.dueItems(this.#db, this.#leases.staying(leases), now, limit);
  }

  async overdueItems(...[leases, now, limit]: Parameters<Store["overdueItems"]>) {
    const results = this.#polls.current();
    if (covers(results, leases) && !((results.nextExpiry ?? Infinity) <= now)) return [];
    return outbox.overdueItems(this.#db, leases, now, limit);
  }

  async openItems(...[leases, query]: Parameters<Store["openItems"]>) {
    const { status } = query;
    const isPolled = status === "held" || status === "unknown";
    if (isPolled && this.#polls.current()?.[status] === false) return [];
    return outbox.openItems(this.#db, leases, query);
  }

  async changeItems(
    ...[worker, transitions]: Parameters<Store["changeItems"]>
  ): Promise<readonly ItemResult[]> {
    this.#checkOpen();
    if (transitions.length === 0) return [];
    const results = await this.#changing(this.#work.add({ kind: "change", worker, transitions }));
    this.#notifyOthers("anything", () =>
      transitions.some(({ partition }) => !this.#holds(partition)),
    );
    // Changes of items never return an object: only transitions do.
    return results.map((result) => (typeof result === "object" ? "committed" : result));
  }

  async pauses() {
    const read = this.#polls.current()?.pauses;
    return read === undefined ? pauses(this.#db) : read.map(toPause);
  }

  async setPause(change: Parameters<Store["setPause"]>[0]) {
    const isChanged = await this.#changing(setPause(this.#db, change));
    if (isChanged) this.#notifyOthers("anything");
    return isChanged;
  }

  escalations(query: Parameters<Store["escalations"]>[0]) {
    return escalations.escalations(this.#db, query);
  }

  resolveEscalation(id: number, at: number) {
    return escalations.resolveEscalation(this.#db, id, at);
  }

  coverage(query?: Parameters<Store["coverage"]>[0]) {
    return coverage.coverage(this.#db, query);
  }

  coverageGaps(query?: Parameters<Store["coverageGaps"]>[0]) {
    return coverage.coverageGaps(this.#db, query);
  }

  cover(changes: Parameters<Store["cover"]>[0]) {
    return coverage.cover(this.#db, changes);
  }

  /** Splits a long listing into small queries, so that no query takes long. */
  async journal(query: JournalQuery): Promise<readonly JournalRow[]> {
    const entries: JournalRow[] = [];
    for (let { before } = query; ;) {
      const limit = Math.min(PIECE, query.limit - entries.length);
      const from = before === undefined ? {} : { before };
      const { rows, next } = await journalPage(this.#db, { ...query, ...from, limit });
      entries.push(...rows);
      before = rows.length < limit ? next : rows.at(-1)?.seq;
      if (entries.length >= query.limit || before === undefined) return entries;
    }
  }

  async items(query: ItemQuery): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (let { before } = query; ;) {
      const limit = Math.min(PIECE, query.limit - items.length);
      const from = before === undefined ? {} : { before };
      const rows = await outbox.listItems(this.#db, { ...query, ...from, limit });
      items.push(...rows);
      before = rows.length < limit ? undefined : rows.at(-1)?.id;
      if (items.length >= query.limit || before === undefined) return items;
    }
  }

  stats() {
    return stats(this.#db);
  }

  async getMeta(name: string, isPoll = false): Promise<string | undefined> {
    const polled = isPoll ? this.#polls.meta(name) : undefined;
    if (polled !== undefined) return polled.value;
    return (await this.#metas.add(name)).value;
  }

  setMeta(name: string, value: string) {
    return this.#changingMetas([name], setMeta(this.#db, name, value));
  }

  metas(prefix: string) {
    return metas(this.#db, prefix);
  }

  changeMetas(changes: Parameters<Store["changeMetas"]>[0]) {
    const names = changes.map(({ name }) => name);
    return this.#changingMetas(names, changeMetas(this.#db, changes));
  }

  #changingMetas<T>(names: readonly string[], change: Promise<T>): Promise<T> {
    return names.some((name) => this.#polls.metas.includes(name)) ? this.#changing(change) : change;
  }

  prune(times: Parameters<Store["prune"]>[0]) {
    return prune(this.#db, times, this.#upkeep);
  }

  async forget(person: Parameters<Store["forget"]>[0]) {
    const changeItems = this.#decider.changeItems.bind(this.#decider);
    const parts = { db: this.#db, secret: this.#secret, writer: this.#upkeep, changeItems };
    const forgotten = await this.#changing(forget(parts, person));
    this.#followForgetting(await this.getMeta(FORGETTING));
    return forgotten;
  }

  isForgotten(event: Parameters<Store["isForgotten"]>[0]) {
    return isForgotten({ db: this.#db, secret: this.#secret }, event);
  }

  startRestored(...[now, holdMs, elsewhere]: Parameters<Store["startRestored"]>) {
    return this.#changing(startRestored(this.#db, this.#upkeep, { now, holdMs, elsewhere }));
  }

  async hold(): Promise<never> {
    throw new StoreError("store-url", "a store in PostgreSQL has no file to copy", {
      hint: "back up the database with pg_dump, or with the tools of its host",
    });
  }

  async letGo(): Promise<boolean> {
    return false;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#appends.idle();
    await this.#work.idle();
    try {
      await this.#notifications.close();
      for (const process of this.#attended) await presence.leave(this.#db, process);
      await this.#leases.releaseAll();
    } finally {
      await this.#db.close();
    }
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new StoreError("store-closed", "the store is closed");
  }

  readonly #place = (lane: string): number => partitionOf(lane, this.partitions);
}

function entryOf<V>(byKey: ReadonlyMap<string, V>, key: string): readonly (readonly [string, V])[] {
  const value = byKey.get(key);
  return value === undefined ? [] : [[key, value]];
}

function isSame(some: readonly Lease[], others: readonly Lease[]): boolean {
  const names = (leases: readonly Lease[]): string =>
    leases.map(({ partition, epoch }) => `${partition}/${epoch}`).join();
  return names(some) === names(others);
}

const PIECE = 200;
