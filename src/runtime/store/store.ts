import type { Action } from "../../actions/action.ts";

/**
 * The transactional store: the one place where the runtime remembers.
 *
 * What every engine keeps, and the contract suite (test/runtime/store/contract.ts) checks:
 * - `append` resolves only after a device sync; `duplicate` only once the original is durable.
 *   Entries of one lane keep the order of calls that did not overlap.
 * - A key is accepted once per account within the retention time.
 * - After `lease` has given epoch `e + 1` of a partition to anyone, `commit` and `mark` with epoch
 *   `e` change nothing.
 * - `fetch` gives the entries of a lane in order and may give one again; `commit` is atomic per
 *   entry and true at most once for it, ever. So handlers may run twice, effects happen once.
 * - `outbox` offers only the first open item of a lane: one item of a lane is under way at a time.
 * - `mark` is a durable compare-and-set on status and epoch; when it settles an item (sent, failed,
 *   expired) it appends the internal event `item.settled` to the item's lane in the same transaction.
 * - A lane whose first entry waits for a retry, or whose item is unknown, blocks only itself.
 * - Any call whose outcome is unknown may be repeated with the same arguments.
 */
export interface Store {
  /** `true` when several processes may hold this store at once. */
  readonly shared: boolean;
  /** Lanes are spread over this many partitions; fixed when the store is made. */
  readonly partitions: number;

  /** Puts events into journal and inbox. One answer per entry, in order. */
  append(entries: readonly NewEntry[]): Promise<readonly AppendResult[]>;

  /** Renews this worker's leases, sheds above its fair share, takes expired ones with epoch + 1. */
  lease(worker: string, ttlMs: number): Promise<readonly Lease[]>;
  /** Gives all leases of `worker` back at once. */
  release(worker: string): Promise<void>;

  /**
   * Entries still to decide in the leased partitions, due at `now`, oldest first, in order per lane.
   *
   * Gives a part of a long lane at a time, so that it leaves room for others.
   *
   * @param busy Lanes to leave out, since the caller still has entries of theirs in hand: without
   *   it, slow lanes at the front are given again and again.
   */
  fetch(
    leases: readonly Lease[],
    now: number,
    limit: number,
    busy?: readonly string[],
  ): Promise<readonly Entry[]>;
  /** Values of user state. Keys without a value are absent. */
  load(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Takes each entry off the inbox with all that was decided of it. `false`: fenced or already done. */
  commit(worker: string, decided: readonly Decided[]): Promise<readonly boolean[]>;

  /**
   * First open item of each lane in the leased partitions, where it is `pending` and due at `now`.
   *
   * A lane whose first open item is `sending` or `unknown` offers nothing: {@link Store.items} lists
   * those by status.
   */
  outbox(leases: readonly Lease[], now: number, limit: number): Promise<readonly Item[]>;
  /** Moves items between states. `false`: fenced, or not in the state it was expected in. */
  mark(worker: string, marks: readonly Mark[]): Promise<readonly boolean[]>;

  /** Entries of the journal with their decisions, newest first. */
  journal(query: JournalQuery): Promise<readonly JournalRow[]>;
  /** Items of the outbox, newest first. */
  items(query: ItemQuery): Promise<readonly Item[]>;

  /** A small named value, such as the world the store belongs to. */
  getMeta(name: string): Promise<string | undefined>;
  setMeta(name: string, value: string): Promise<void>;

  /** Drops journal entries that arrived before `before` and are decided, and settled items with them. */
  prune(before: number): Promise<number>;
  stats(): Promise<StoreStats>;
  /** Waits for what is under way, then lets the files go. */
  close(): Promise<void>;
}

export type AppendResult = "new" | "duplicate";

/** An event on its way into the journal. Times are milliseconds since the epoch. */
export interface NewEntry {
  /** Stable key of the event; unique per account. */
  readonly key: string;
  readonly account: string;
  readonly lane: string;
  /** The event's kind, for listings. */
  readonly kind: string;
  /** When it happened, by the platform's clock. */
  readonly at: number;
  /** When it came in, by the platform's clock. */
  readonly arrivedAt: number;
  /** Where it came from. */
  readonly source: "webhook" | "replay" | "backfill" | "internal";
  /** What came, as JSON text. */
  readonly body: string;
}

/** An event in the journal. */
export interface Entry extends NewEntry {
  /** Rises in the order of arrival; never used twice. */
  readonly seq: number;
  readonly partition: number;
  /** How often deciding it has failed so far. */
  readonly attempts: number;
}

export interface Lease {
  readonly partition: number;
  readonly epoch: number;
  /** Monotonic milliseconds (`performance.now()`) until which it surely holds. */
  readonly until: number;
}

/** What became of one entry. */
export interface Decided {
  readonly seq: number;
  readonly partition: number;
  readonly epoch: number;
  readonly lane: string;
  /** `done`: off the inbox. `retry`: stays first in its lane until `retryAt`. `parked`: off the inbox, kept as failed. */
  readonly outcome: "done" | "retry" | "parked";
  readonly retryAt?: number;
  /** When it was decided, by the platform's clock. */
  readonly decidedAt: number;
  /** Verdicts, the rule revision and the state that was read, as JSON text: what `why` shows. */
  readonly decision: string;
  readonly runs: readonly RunRecord[];
  /** Changed user state; `null` removes a value. */
  readonly state: readonly { readonly key: string; readonly value: string | null }[];
  readonly items: readonly NewItem[];
}

/** One rule or bot handler at work on one entry. */
export interface RunRecord {
  /** Unique: entry and rule, or entry and bot. */
  readonly id: string;
  /** `rule:<id>` or `bot:<name>`. */
  readonly owner: string;
  readonly revision: string;
  readonly status: "done" | "failed" | "stopped";
  /** Steps and their results, as JSON text. */
  readonly steps: string;
}

/** An action to go out. */
export interface NewItem {
  /**
   * Idempotency key: event, rule or bot, and step. A second item of the account with a known key is
   * dropped, so a handler that ran twice sends once.
   */
  readonly key: string;
  readonly account: string;
  readonly lane: string;
  readonly action: Action;
  /** Sent no earlier than this, by the platform's clock. */
  readonly notBefore: number;
  /** Given up at this time, by the platform's clock. */
  readonly expiresAt?: number;
}

/**
 * `pending`: to be sent. `sending`: on its way, or it was when the process died.
 * `unknown`: it left, and nobody knows whether it arrived. `sent`, `failed`, `expired`: settled.
 */
export type ItemStatus = "pending" | "sending" | "sent" | "failed" | "expired" | "unknown";

/** The states that an item never leaves. */
export const SETTLED = ["sent", "failed", "expired"] as const satisfies readonly ItemStatus[];

export interface Item extends NewItem {
  /** Rises in the order of queueing; never used twice. */
  readonly id: number;
  readonly partition: number;
  /** The entry that caused it. */
  readonly seq: number;
  readonly status: ItemStatus;
  /** Requests that were started. */
  readonly attempts: number;
  /** When the last request was started, by the platform's clock. */
  readonly startedAt?: number;
  /** When it was settled, by the platform's clock. */
  readonly settledAt?: number;
  /** The platform's id of what was made: a message event or a post. */
  readonly platformId?: string;
  /** Why it failed, expired, waits or is unknown. */
  readonly reason?: string;
}

/** A change of an item's state. */
export interface Mark {
  readonly id: number;
  readonly partition: number;
  readonly epoch: number;
  readonly from: ItemStatus;
  readonly to: ItemStatus;
  /** Now, by the platform's clock. */
  readonly at: number;
  readonly platformId?: string;
  readonly notBefore?: number;
  readonly reason?: string;
}

/** Body of the internal event `item.settled`, as JSON. Its key is `item.settled:<id>`. */
export interface ItemSettled {
  /** Id, key and entry of the item. */
  readonly id: number;
  readonly key: string;
  readonly seq: number;
  readonly status: (typeof SETTLED)[number];
  readonly platformId?: string;
  readonly reason?: string;
}

export interface JournalQuery {
  /** Entries with a smaller seq only. */
  readonly before?: number;
  readonly seq?: number;
  readonly account?: string;
  readonly lane?: string;
  readonly key?: string;
  readonly limit: number;
}

export interface JournalRow extends Entry {
  readonly state: "open" | "done" | "parked";
  readonly decidedAt?: number;
  /** As it was given to `commit`. */
  readonly decision?: string;
  readonly runs: readonly RunRecord[];
}

export interface ItemQuery {
  readonly id?: number;
  readonly seq?: number;
  readonly lane?: string;
  readonly status?: ItemStatus;
  readonly before?: number;
  readonly limit: number;
}

export interface StoreStats {
  /** Entries still to decide. */
  readonly inbox: number;
  /** Entries kept in the journal. */
  readonly journal: number;
  /** Items by status. */
  readonly items: Readonly<Record<ItemStatus, number>>;
  /** Arrival of the oldest entry still to decide. */
  readonly oldestArrivedAt?: number;
}
