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
import type { OpenRun, RuleSource, RunAndEntry, StoredRun } from "./run.ts";
import type { CommitResult, LaneInput, StateValue, Transition } from "./transition.ts";

/**
 * The transactional store: the one place where the runtime remembers.
 *
 * What every engine keeps, and the contract suite (test/runtime/store/contract.ts) checks:
 * - `append` resolves only after a device sync; `duplicate` only once the original is durable.
 *   Entries of one lane keep the order of calls that did not overlap.
 * - What `commit` and `changeItems` kept outlives the process at once. It outlives a power cut from the
 *   next device sync on, in the order in which it was kept: at the latest when something is answered
 *   that lets anything out of this machine (an append, an item that becomes `sending`, a run that
 *   becomes `ready`), and within a second anyway. A power cut before that takes back the latest of it,
 *   and nothing had followed from that yet.
 * - A key is accepted once per account within the retention time.
 * - After `lease` has given epoch `e + 1` of a partition to anyone, `commit` and `changeItems` with
 *   epoch `e` change nothing.
 * - `fetch` gives the inputs of a lane in order and may give one again; `commit` is atomic per
 *   transition and `committed` at most once for an input, ever. So handlers may run twice, effects
 *   happen once.
 * - A value of user state that somebody else changed since it was read makes its transition `stale`,
 *   whatever lane it is in: this is how limits that several lanes share hold across them.
 * - An event comes with the runs of its lane that listen; its transition is kept only if they are still
 *   those that it was offered to (`offeredTo`). A due timer stands behind the inputs of its lane.
 * - When a run ends that holds a slot, the timer of the next one that queues for it falls due in the same transaction,
 *   whatever lane that is in. Transitions that went by other holders than there are now are `stale`.
 * - What a transition went by of the silences of its lane (`silencedBy`) is still so, else it is `stale`.
 * - `dueItems` offers only the first open item of a lane: one item of a lane is under way at a time.
 * - `changeItems` is a compare-and-set on status and epoch; when it settles an item (sent,
 *   failed, expired) that a run waits for, it puts `item-settled` into the lane in the same transaction.
 * - An item that counts (`counted`) is kept as `held` where one of its limits is reached, decided in the
 *   transaction that queues it, over restarts. A held item stands in nobody's way and is due at no time.
 *   One that is made `pending` ends the count of its lane and of its text: the limits begin anew.
 * - Of a paused account `fetch` and `dueItems` give nothing; all else goes on, also over restarts.
 * - `cover` is atomic; what it says of a stretch of time takes the place of what stood there.
 * - Open runs, their timers, the rule sources that they go by and the entries that started them are
 *   never pruned.
 * - A lane whose first input waits for a retry, or whose item is unknown, blocks only itself, an unknown item until its `notBefore`.
 * - Any call whose outcome is unknown may be repeated with the same arguments.
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

/** For those who take events in. */
export interface AppendPort {
  /** Puts events into journal and inbox. One answer per entry, in order. */
  append(entries: readonly NewEntry[]): Promise<readonly AppendResult[]>;
}

/** Who may decide and send. */
export interface LeasePort {
  /** Lanes are spread over this many partitions; fixed when the store is made. */
  readonly partitions: number;
  /** Whether several processes, of several machines, may work on it at the same time. */
  readonly isShared: boolean;
  /** Renews this worker's leases, sheds above its fair share, takes expired ones with epoch + 1. */
  lease(worker: string, ttlMs: number): Promise<readonly Lease[]>;
  /** Gives all leases of `worker` back at once. */
  release(worker: string): Promise<void>;
  /** Milliseconds since the epoch, by the store's own clock. */
  clock(): Promise<number>;
  /**
   * When the oldest entry of each leased partition arrived that is still to be decided (`arrivedAt`); a partition
   * without any is absent. Entries of paused accounts don't count.
   */
  partitionLag(leases: readonly Lease[]): Promise<ReadonlyMap<number, number>>;
}

/** For those who decide on events and take runs on. */
export interface DecidePort {
  /**
   * Inputs of the leased partitions that are due at `now`, oldest first, in order per lane.
   *
   * Gives a part of a long lane at a time, so that it leaves room for others.
   *
   * @param busy Lanes to leave out, since the caller still has inputs of theirs in hand: without
   *   it, slow lanes at the front are given again and again.
   */
  fetch(
    leases: readonly Lease[],
    now: number,
    limit: number,
    busy?: readonly string[],
  ): Promise<readonly LaneInput[]>;
  /** The runs of the lane that listen, the latest first: for one whose input was fetched before they did. */
  listeners(lane: string): Promise<readonly RunAndEntry[]>;
  /** Where rules and bots are silent in the lane, oldest first; some may be over: for an input fetched before. */
  silences(lane: string): Promise<readonly Silence[]>;
  /** Values of user state. Keys without a value are absent; values that have expired may be there. */
  load(keys: readonly string[]): Promise<ReadonlyMap<string, StateValue>>;
  /** Runs that are not over, in the leased partitions, in the order in which they were started. */
  openRuns(leases: readonly Lease[], query: OpenRunQuery): Promise<readonly OpenRun[]>;
  /** The open runs of each of these slots, in the order in which they were started; a slot without any is absent. */
  slots(names: readonly string[]): Promise<ReadonlyMap<string, readonly StoredRun[]>>;
  /** The open runs that an entry has started, in the order in which they were started. */
  runsOf(seq: number): Promise<readonly StoredRun[]>;
  /** The text of a rule that an open run goes by. */
  ruleSource(revision: string): Promise<RuleSource | undefined>;
  /** Keeps each transition, whole or not at all. One answer each, in order. */
  commit(worker: string, transitions: readonly Transition[]): Promise<readonly CommitResult[]>;
}

/** For those who send. */
export interface OutboxPort {
  /**
   * First open item of each lane in the leased partitions, where it is `pending` and due at `now`; those of
   * a lower `priority` first, then those that are due for longest.
   *
   * A lane whose first open item is `sending`, or `unknown` until its `notBefore`, offers nothing:
   * {@link openItems} lists those.
   */
  dueItems(leases: readonly Lease[], now: number, limit: number): Promise<readonly Item[]>;
  /** Pending and held items of the leased partitions whose `expiresAt` has come, wherever in their lane; oldest first. */
  overdueItems(leases: readonly Lease[], now: number, limit: number): Promise<readonly Item[]>;
  /** Items that are not settled, in the leased partitions, in the order of queueing. */
  openItems(leases: readonly Lease[], query: OpenItemQuery): Promise<readonly Item[]>;
  /**
   * Moves items between states. `already-done`: not in the state it was expected in, or that state is
   * left by no item: `sent` by none, `failed` and `expired` to `pending` only.
   */
  changeItems(
    worker: string,
    transitions: readonly ItemTransition[],
  ): Promise<readonly CommitResult[]>;
}

/** For the operator who stops an account, or all, for a while. */
export interface PausePort {
  /** What is paused. */
  pauses(): Promise<readonly Pause[]>;
  /** Pauses, or ends a pause. @returns `false` when it was so already. */
  setPause(change: PauseChange): Promise<boolean>;
}

/** For the people who are asked to take over. */
export interface EscalationPort {
  /** Escalations, newest first. */
  escalations(query: EscalationQuery): Promise<readonly Escalation[]>;
  /**
   * Resolves one, which ends its silence at once.
   *
   * @returns `undefined`: there is none. `changed: false`: it was resolved already.
   */
  resolveEscalation(
    id: number,
    at: number,
  ): Promise<{ readonly changed: boolean; readonly escalation: Escalation } | undefined>;
}

/** For people and tools that look. */
export interface ReadPort {
  /** Entries of the journal with their decisions, newest first. */
  journal(query: JournalQuery): Promise<readonly JournalRow[]>;
  /** Items of the outbox, newest first. */
  items(query: ItemQuery): Promise<readonly Item[]>;
  stats(): Promise<StoreStats>;
}

/** For the runtime that owns the store. */
export interface AdminPort {
  /** A small named value, such as the world the store belongs to. */
  getMeta(name: string): Promise<string | undefined>;
  /** The values of all names that begin with `prefix`, by name. */
  metas(prefix: string): Promise<ReadonlyMap<string, string>>;
  setMeta(name: string, value: string): Promise<void>;
  /**
   * Changes several values, all or none. Whoever else may change them at the same time, only one finds them as they were.
   *
   * @returns `false` where one was not as expected, and nothing has changed. All being as wanted already is `true`.
   */
  changeMetas(changes: readonly MetaChange[]): Promise<boolean>;
  /**
   * Drops what is over and old: entries that arrived before `before`, with their decisions, runs and
   * items; user state that had expired at `now`; rule sources that no open run goes by; coverage of the
   * time before `before`.
   *
   * @returns How many entries were dropped.
   */
  prune(times: { readonly before: number; readonly now: number }): Promise<number>;
  /**
   * Forgets a person: the events of their lanes and all others that name them, with what became of those, and
   * their user state. What is left is a hash of each event's key, so that it is a duplicate when it comes again.
   *
   * @returns What was dropped, once it is gone from the files.
   */
  forget(person: ForgetQuery): Promise<Forgotten>;
  /**
   * Takes up a store that was brought back from a backup; nothing where it was not. Items that wait or were
   * on their way, and those that come of events from before `now`, may have been sent since: they are `unknown`.
   *
   * @param holdMs How long an unknown item holds up its lane.
   * @returns How many items became unknown.
   */
  takeUp(now: number, holdMs: number): Promise<number>;
  /**
   * Leaves the store's file as it is, whole in itself, until {@link letGo}, so that it can be copied by another
   * process. What comes meanwhile is kept beside it, and waits for nothing.
   */
  hold(): Promise<HeldFile>;
  /** @returns Whether the file stayed as it was since {@link hold}: then what was copied is whole. */
  letGo(): Promise<boolean>;
  /** Waits for what is under way, then lets the files go. */
  close(): Promise<void>;
}
