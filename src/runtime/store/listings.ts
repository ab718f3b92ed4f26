import type { Entry } from "./entry.ts";
import type { CountedStatus, ItemStatus } from "./item.ts";
import type { RunRecord, RunStatus } from "./run.ts";

export interface JournalQuery {
  /** Only entries with a `seq` below this one, for paging. */
  readonly before?: number;
  readonly seq?: number;
  readonly account?: string;
  readonly lane?: string;
  readonly key?: string;
  /** Skips decisions and runs, which is faster: each entry is returned as open, with no decision and no runs. */
  readonly bare?: boolean;
  readonly limit: number;
}

export interface JournalRow extends Entry {
  readonly state: "open" | "done" | "dead-lettered";
  /** Number of failed attempts to decide the entry. */
  readonly attempts: number;
  readonly decidedAt?: number;
  /** Decision text that was passed to `commit`. */
  readonly decision?: string;
  readonly runs: readonly ListedRun[];
}

/** A run that an entry started. */
export interface ListedRun extends RunRecord {
  /** Due time of the timer that the run waits for, in milliseconds since the epoch. */
  readonly waitsUntil?: number;
}

export interface ItemQuery {
  readonly id?: number;
  readonly seq?: number;
  /** Only items that were queued for the journal entry with this `seq` or a later entry. */
  readonly seqFrom?: number;
  /** Only items that were queued for the journal entry with this `seq` or an earlier entry. */
  readonly seqTo?: number;
  readonly account?: string;
  readonly lane?: string;
  /** `failed` excludes items that the operator dropped. */
  readonly status?: CountedStatus;
  readonly before?: number;
  readonly limit: number;
}

/** Query for a page of open items or open runs in the leased partitions, oldest first. */
export interface OpenQuery<Status> {
  readonly status: Status;
  /** The `id` or `ordinal` at which the last page ended; 0 for the first page. */
  readonly after: number;
  readonly limit: number;
}

/** Query for a page of runs that have not ended. */
export interface OpenRunQuery extends OpenQuery<Extract<RunStatus, "ready" | "waiting">> {
  /** Only runs with exactly this owner. Absent: runs of all owners. */
  readonly owner?: string;
  /** Only runs of this rule or bot, such as `rule:<id>`, including runs that a count started. Absent: of all rules and bots. */
  readonly whose?: string;
}

/** Query for a page of items that are not settled: not yet sent, failed or expired. */
export type OpenItemQuery = OpenQuery<
  Extract<ItemStatus, "pending" | "sending" | "unknown" | "held">
>;

export interface StoreStats {
  /** Number of unprocessed inputs of all lanes, plus the number of `ready` runs. */
  readonly inbox: number;
  /** Number of inputs that wait because their account is paused. */
  readonly paused: number;
  /** Number of entries in the journal. */
  readonly journal: number;
  /** Numbers of items by status. */
  readonly items: Readonly<Record<CountedStatus, number>>;
  /** Numbers of open runs by status. */
  readonly runs: Readonly<Record<"ready" | "waiting", number>>;
  /** Numbers of open escalations by queue. A queue without open escalations is absent. */
  readonly escalations: Readonly<Record<string, number>>;
  /** Arrival time of the oldest undecided entry, by the platform's clock. */
  readonly oldestArrivedAt?: number;
}

/** Person whose data the call `forget` deletes. */
export interface ForgetQuery {
  /** User id. */
  readonly id: string;
  /** Handle in any case, without `@`. It finds hand-overs in groups whose event, which has the id, was pruned. */
  readonly username?: string;
  /** Current time, by the platform's clock. */
  readonly now: number;
  /** Lists about many people in user state, from which the person's entries are deleted. Absent: there are none. */
  readonly marked?: MarkedEntries;
}

/** Criteria for the entries of one person in lists that hold entries of many people, such as the events of a count. */
export interface MarkedEntries {
  /** Prefix of the keys under which these lists are stored in user state. No other key begins with this prefix. */
  readonly prefix: string;
  /** Text that every list entry about the person contains, and no other entry. */
  readonly mark: string;
}

/** Numbers of rows that were deleted because a person was forgotten. */
export interface Forgotten {
  readonly entries: number;
  readonly items: number;
  readonly state: number;
  /**
   * Number of events of other people that name the person, but are still being answered, and of messages to the person
   * whose outcome other people's events still need. A later call deletes them.
   */
  readonly left: number;
}

/** Store file that stays unchanged until `letGo` is called, so that another process can copy it. */
export interface HeldFile {
  /** Absolute path of the file. */
  readonly path: string;
  readonly bytes: number;
  /** Number of journal entries in the file. */
  readonly entries: number;
  readonly items: number;
}

/** Builds statistics from the counters of a store engine: `inbox`, `journal`, `item.STATUS` and `run.STATUS`. */
export function countedStats(
  n: (name: string) => number,
): Pick<StoreStats, "inbox" | "journal" | "items" | "runs"> {
  return {
    inbox: n("inbox") + n("run.ready"),
    journal: n("journal"),
    items: {
      pending: n("item.pending"),
      sending: n("item.sending"),
      sent: n("item.sent"),
      failed: n("item.failed"),
      dropped: n("item.dropped"),
      expired: n("item.expired"),
      unknown: n("item.unknown"),
      held: n("item.held"),
    },
    runs: { ready: n("run.ready"), waiting: n("run.waiting") },
  };
}
