import type { Entry } from "./entry.ts";
import type { CountedStatus, ItemStatus } from "./item.ts";
import type { RunRecord, RunStatus } from "./run.ts";

export interface JournalQuery {
  /** Entries with a smaller seq only. */
  readonly before?: number;
  readonly seq?: number;
  readonly account?: string;
  readonly lane?: string;
  readonly key?: string;
  /** Without what became of them, which is quicker: each is said to be open, with no decision and no runs. */
  readonly bare?: boolean;
  readonly limit: number;
}

export interface JournalRow extends Entry {
  readonly state: "open" | "done" | "dead-lettered";
  /** How often deciding it has failed. */
  readonly attempts: number;
  readonly decidedAt?: number;
  /** As it was given to `commit`. */
  readonly decision?: string;
  readonly runs: readonly ListedRun[];
}

/** A run that an entry started. */
export interface ListedRun extends RunRecord {
  /** While it waits for a timer: when that falls due, in milliseconds since the epoch. */
  readonly waitsUntil?: number;
}

export interface ItemQuery {
  readonly id?: number;
  readonly seq?: number;
  /** Those of entries from this number on. */
  readonly seqFrom?: number;
  /** Those of entries up to this number. */
  readonly seqTo?: number;
  readonly account?: string;
  readonly lane?: string;
  /** `failed` leaves out items that the operator dropped. */
  readonly status?: CountedStatus;
  readonly before?: number;
  readonly limit: number;
}

/** A listing of the leased partitions, oldest first. */
export interface OpenQuery<Status> {
  readonly status: Status;
  /** The `id` or `ordinal` where the last page ended; 0 for the first. */
  readonly after: number;
  readonly limit: number;
}

/** Runs that are not over. */
export interface OpenRunQuery extends OpenQuery<Extract<RunStatus, "ready" | "waiting">> {
  /** Those of one owner; of all, where absent. */
  readonly owner?: string;
  /** Those of one rule or bot, `rule:<id>`, also where a count started them; of all, where absent. */
  readonly whose?: string;
}

/** Items that are not settled. */
export type OpenItemQuery = OpenQuery<
  Extract<ItemStatus, "pending" | "sending" | "unknown" | "held">
>;

export interface StoreStats {
  /** Inputs that lanes still have to take in, and effects of runs that are under way. */
  readonly inbox: number;
  /** Those of them that wait since their account is paused. */
  readonly paused: number;
  /** Entries kept in the journal. */
  readonly journal: number;
  /** Items by status. */
  readonly items: Readonly<Record<CountedStatus, number>>;
  /** Open runs by status. */
  readonly runs: Readonly<Record<"ready" | "waiting", number>>;
  /** Open escalations by queue; a queue without any is left out. */
  readonly escalations: Readonly<Record<string, number>>;
  /** Arrival of the oldest entry still to decide. */
  readonly oldestArrivedAt?: number;
}

/** Who is to be forgotten. */
export interface ForgetQuery {
  /** User id. */
  readonly id: string;
  /** Now, by the platform's clock. */
  readonly now: number;
  /** Names of the person in values that belong to many people. Absent: there are none. */
  readonly marked?: MarkedEntries;
}

/** Entries of one person in lists that are stored under keys of many people. */
export interface MarkedEntries {
  /** Beginning of those keys, and of no others. */
  readonly prefix: string;
  /** Text that each entry of the person holds, and no other entry. */
  readonly mark: string;
}

/** What was dropped of a person. */
export interface Forgotten {
  readonly entries: number;
  readonly items: number;
  readonly state: number;
  /** Events of other people that name them, and are still being answered: they are dropped by a later call. */
  readonly left: number;
}

/** A file that stays as it is for a while. */
export interface HeldFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  /** What is in it: entries of the journal, and items. */
  readonly entries: number;
  readonly items: number;
}

/** The numbers of items and open runs, out of what an engine has counted under `item.STATUS` and `run.STATUS`. */
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
