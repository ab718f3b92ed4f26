import type { CoveragePort } from "./coverage.ts";
import type { AppendResult, NewEntry } from "./entry.ts";
import type { Escalation, EscalationQuery, Silence } from "./escalation.ts";
import type { Item, ItemTransition } from "./item.ts";
import type { Lease } from "./lease.ts";
import type {
  Forgotten,
  ForgetQuery,
  HeldFile,
  ItemQuery,
  JournalQuery,
  JournalRow,
  OpenItemQuery,
  OpenRunQuery,
  StoreStats,
} from "./listings.ts";
import type { MetaChange } from "./meta.ts";
import type { Pause, PauseChange } from "./pause.ts";
import type { PresencePort } from "./presence.ts";
import type { AccountElsewhere } from "./restored.ts";
import type { OpenRun, RuleSource, RunAndEntry, StoredRun } from "./run.ts";
import type {
  ItemResult,
  LaneInput,
  StateValue,
  Transition,
  TransitionResult,
} from "./transition.ts";

/**
 * Transactional store: the only place where the runtime keeps data.
 *
 * Every store engine (SQLite, PostgreSQL) guarantees the following. The contract suite (test/runtime/store/contract.ts)
 * checks it:
 * - `append` resolves only after the disk has synced the entries, and returns `duplicate` only once the original is
 *   durable. If two `append` calls don't overlap, the entries of a lane are stored in the order of the calls.
 * - A committed result of `commit` or `changeItems` survives a crash of the process. It survives a power cut after the
 *   next disk sync. A sync happens at least every second, and before the store returns from a call after which data may
 *   leave this machine: an append, an item that becomes `sending`, a run that becomes `ready`. A power cut therefore
 *   loses only the latest results, and no request was sent because of them.
 * - An entry's key is accepted once per account within the retention time. Later entries with this key are duplicates.
 * - After `lease` has returned epoch `e + 1` of a partition to any worker, `commit` and `changeItems` with epoch `e`
 *   change nothing.
 * - `fetch` returns the inputs of a lane in order and may return one again. `commit` is atomic per transition and
 *   returns `committed` at most once for an input. Handlers may therefore run twice, but effects happen once.
 * - A transition that writes a value of user state is `stale` if the value has changed since the transition read it, even
 *   if another lane changed it. Limits that several lanes share rely on this check. A value that a transition only reads
 *   is not checked: the transition counts as decided before the change.
 * - `fetch` returns an event with the runs that listen in its lane. The event's transition is `stale` if these runs
 *   have changed since (`offeredTo`). A due timer comes after the inputs of its lane.
 * - When a run that holds a slot ends, the timer of the next run in the slot's queue, in any lane, falls due in the
 *   same transaction. A transition is `stale` if the open runs of the slot have changed since it read them.
 * - A silence stops rules and bots in a lane after an escalation. A transition is `stale` if the silences of its lane
 *   have changed since it read them (`silencedBy`).
 * - `dueItems` returns only the first open item of a lane, so a lane sends one item at a time. `commit` stores the item
 *   that a transition `sends` as `sending` only if the item is the first one of its lane.
 * - `changeItems` is a compare-and-set on status and epoch. If it settles an item (sent, failed, expired) for which a
 *   run waits, it queues the input `item-settled` in the lane, in the same transaction. If the change contains the end
 *   of that run (`ends`), and nothing has changed on which the end depends, `changeItems` stores the end instead and
 *   returns `ended`.
 * - A counted item (`counted`) above one of its limits is stored as `held`, in the transaction that queues it. Counts
 *   survive restarts. A held item does not block its lane and is never due. Making it `pending` resets the counts of
 *   its lane and of its text.
 * - `fetch` and `dueItems` return nothing of a paused account. All other calls treat a paused account like any other. A
 *   pause survives restarts.
 * - `cover` is atomic, and replaces the earlier coverage of the same stretch of time.
 * - Open runs, their timers, the rule sources that they execute and the entries that started them are never pruned.
 * - A lane waits while its first input waits for a retry, or while its first item has an unknown outcome, until the
 *   item's `notBefore`. Other lanes continue.
 * - A call whose outcome is unknown may be repeated with the same arguments.
 */
export interface Store
  extends
    AppendPort,
    LeasePort,
    DecidePort,
    OutboxPort,
    PausePort,
    EscalationPort,
    CoveragePort,
    PresencePort,
    ReadPort,
    AdminPort {}

/** Stores incoming events. */
export interface AppendPort {
  /** Adds events to the journal and the inbox. Returns one result for each entry, in order. */
  append(entries: readonly NewEntry[]): Promise<readonly AppendResult[]>;
}

/** Assigns partitions to workers. A lease allows its worker to decide and send. */
export interface LeasePort {
  /** Number of partitions over which lanes are spread. Fixed when the store is created. */
  readonly partitions: number;
  /** Whether several processes, even on several machines, may use the store at the same time. */
  readonly isShared: boolean;
  /**
   * Renews the leases of `worker`, hands over leases above its fair share, and acquires free partitions with epoch + 1.
   *
   * @returns The leases that the worker holds now.
   */
  lease(worker: string, ttlMs: number): Promise<readonly Lease[]>;
  /** Releases all leases of `worker` at once. */
  release(worker: string): Promise<void>;
  /**
   * Ends the leases and the presence of another process that was killed, at once instead of by their expiry.
   *
   * @param worker Name of the ended process.
   */
  releaseEnded(worker: string): Promise<void>;
  /** Returns the time of the store's own clock, in milliseconds since the epoch. */
  clock(): Promise<number>;
  /**
   * Returns the arrival time (`arrivedAt`) of the oldest undecided entry of each leased partition. A partition without
   * such an entry is absent. Entries of paused accounts are ignored.
   */
  partitionLag(leases: readonly Lease[]): Promise<ReadonlyMap<number, number>>;
}

/** Provides inputs for decisions, and commits the results. */
export interface DecidePort {
  /**
   * Returns inputs of the leased partitions that are due at `now`, oldest first, in order per lane.
   *
   * Returns only some inputs of a long lane in one call, so that inputs of other lanes fit in, too.
   *
   * @param limit Maximum number of inputs.
   * @param busy Lanes to skip, because the caller has not finished earlier inputs of these lanes. Otherwise every call
   *   would return the same slow lanes.
   */
  fetch(
    leases: readonly Lease[],
    now: number,
    limit: number,
    busy?: readonly string[],
  ): Promise<readonly LaneInput[]>;
  /**
   * Returns the runs of a lane that wait for its next event, newest first. Some may have begun to wait after `fetch`.
   */
  listeners(lane: string): Promise<readonly RunAndEntry[]>;
  /** Returns the silences of a lane (pauses after escalations), oldest first. Some may have ended since. */
  silences(lane: string): Promise<readonly Silence[]>;
  /** Returns values of user state. Keys without a value are absent. Expired values may be included. */
  load(keys: readonly string[]): Promise<ReadonlyMap<string, StateValue>>;
  /** Returns unfinished runs of the leased partitions, in the order in which they were started. */
  openRuns(leases: readonly Lease[], query: OpenRunQuery): Promise<readonly OpenRun[]>;
  /** Returns the open runs of slots, in the order in which they were started. Slots without open runs are absent. */
  slots(names: readonly string[]): Promise<ReadonlyMap<string, readonly StoredRun[]>>;
  /** Returns the open runs that an entry started, in the order in which they were started. */
  runsOf(seq: number): Promise<readonly StoredRun[]>;
  /** Returns the source text of a rule revision that an open run executes. */
  ruleSource(revision: string): Promise<RuleSource | undefined>;
  /** Commits each transition completely or not at all. Returns one result for each transition, in order. */
  commit(worker: string, transitions: readonly Transition[]): Promise<readonly TransitionResult[]>;
}

/** Provides items to send, and changes their status. */
export interface OutboxPort {
  /**
   * Returns the first open item of each lane in the leased partitions that is `pending` and due at `now`. Sorts by
   * `priority`, lowest first, and then by due time.
   *
   * Returns nothing of a lane whose first open item is `sending`, or `unknown` until its `notBefore`. {@link openItems}
   * lists those items.
   */
  dueItems(leases: readonly Lease[], now: number, limit: number): Promise<readonly Item[]>;
  /** Returns pending and held items of the leased partitions that have expired, at any position of their lanes, oldest first. */
  overdueItems(leases: readonly Lease[], now: number, limit: number): Promise<readonly Item[]>;
  /** Returns unsettled items of the leased partitions, in the order of queueing. */
  openItems(leases: readonly Lease[], query: OpenItemQuery): Promise<readonly Item[]>;
  /**
   * Changes the status of items. `already-done`: the item has another status than expected, or the change is not allowed.
   * A sent item stays sent. A failed or expired item may only become `pending`.
   */
  changeItems(
    worker: string,
    transitions: readonly ItemTransition[],
  ): Promise<readonly ItemResult[]>;
}

/** Pauses accounts for the operator. */
export interface PausePort {
  /** Lists all pauses. */
  pauses(): Promise<readonly Pause[]>;
  /** Starts or ends a pause. @returns `false` if nothing changed. */
  setPause(change: PauseChange): Promise<boolean>;
}

/** Lists and resolves escalations. */
export interface EscalationPort {
  /** Lists escalations, newest first. */
  escalations(query: EscalationQuery): Promise<readonly Escalation[]>;
  /**
   * Resolves an escalation, which ends its silence at once.
   *
   * @returns `undefined`: there is no such escalation. `changed: false`: it was resolved before.
   */
  resolveEscalation(
    id: number,
    at: number,
  ): Promise<{ readonly changed: boolean; readonly escalation: Escalation } | undefined>;
}

/** Lists the store's contents for people and tools. */
export interface ReadPort {
  /** Lists entries of the journal with their decisions, newest first. */
  journal(query: JournalQuery): Promise<readonly JournalRow[]>;
  /** Lists items of the outbox, newest first. */
  items(query: ItemQuery): Promise<readonly Item[]>;
  /**
   * Whether an event belongs to a forgotten person: it was deleted from the journal, or is the echo of a deleted item
   * that was sent.
   */
  isForgotten(event: Pick<NewEntry, "account" | "key">): Promise<boolean>;
  stats(): Promise<StoreStats>;
}

/** Maintains the store for the runtime that owns it. */
export interface AdminPort {
  /**
   * Returns a small named value, such as the world to which the store belongs.
   *
   * @param isPoll Whether the value is read regularly, so that the change of another process may show a second later.
   */
  getMeta(name: string, isPoll?: boolean): Promise<string | undefined>;
  /** Returns the values of all names that begin with `prefix`, by name. */
  metas(prefix: string): Promise<ReadonlyMap<string, string>>;
  setMeta(name: string, value: string): Promise<void>;
  /**
   * Compare-and-set of several values, all or none. Of concurrent calls that expect the same values, only one succeeds.
   *
   * @returns `false` if a value was not as expected. Then nothing has changed. `true` also if all values already were
   *   the new ones.
   */
  changeMetas(changes: readonly MetaChange[]): Promise<boolean>;
  /**
   * Deletes old data: closed entries that arrived before `before`, with their decisions, runs and items; user state that
   * had expired at `now`; rule sources that no open run executes; coverage of the time before `before`; resolved
   * escalations whose entry is gone.
   *
   * @returns The number of deleted entries.
   */
  prune(times: { readonly before: number; readonly now: number }): Promise<number>;
  /**
   * Forgets a person. Deletes the events of their lanes, all other events that name them, everything that followed from
   * those events, all other items to them, and their user state. Hashes of the keys of these events, and of the echoes of sent items, remain, so
   * that a later delivery is a duplicate.
   *
   * @returns Numbers of deleted rows, once the rows are gone from the files.
   */
  forget(person: ForgetQuery): Promise<Forgotten>;
  /**
   * Starts a store that was restored from a backup. Does nothing for other stores. Items that were pending or being
   * sent may have been sent since the backup, so they become `unknown`. Items that are queued later become `unknown`,
   * too, if they answer events from before `now`.
   *
   * @param holdMs Milliseconds for which an unknown item blocks its lane.
   * @param elsewhere Account for which another store has answered. The same is then done in any store, for the items of
   *   this account alone.
   * @returns The number of items that became unknown.
   */
  startRestored(now: number, holdMs: number, elsewhere?: AccountElsewhere): Promise<number>;
  /**
   * Keeps the store's file unchanged and consistent until {@link letGo}, so that another process can copy the file. The
   * store still accepts writes, and puts them into a separate file (the WAL).
   */
  hold(): Promise<HeldFile>;
  /**
   * Ends {@link hold}.
   *
   * @returns True if the file did not change since `hold`. Then a copy of the file is consistent.
   */
  letGo(): Promise<boolean>;
  /** Waits until all running calls have returned, then closes the files or connections. */
  close(): Promise<void>;
}
