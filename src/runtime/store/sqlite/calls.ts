import type { StoreErrorCode } from "../errors.ts";
import type { Lease } from "../lease.ts";
import type { Forgotten, ForgetQuery, JournalRow } from "../listings.ts";
import type { Store } from "../store.ts";
import type { StoreMigration } from "../written-by.ts";
import type { WorkCounts } from "./file/work-counts.ts";

/** Lease without its deadline: the monotonic clocks of the main thread and the store thread don't start together. */
export type LeaseKey = Pick<Lease, "partition" | "epoch">;

/** Parameters of one piece of a prune. A prune runs in small pieces, so that other calls don't wait for it. */
export interface PruneStep {
  readonly before: number;
  readonly now: number;
  /** Entries up to this `seq` are already processed. */
  readonly after: number;
}

/** Result of one piece of a prune. */
export interface PruneSlice {
  readonly dropped: number;
  /** `seq` after which the next piece starts. `undefined`: the prune is done. */
  readonly next: number | undefined;
}

/** Parameters of one piece of a `forget`, which runs in small pieces like a prune. */
export interface ForgetStep extends ForgetQuery {
  /** Entries up to this `seq` are already processed. */
  readonly after: number;
  /** User state up to this key is already processed. Absent: entries are processed next. */
  readonly key?: string;
}

/** Result of one piece of a `forget`. */
export interface ForgetSlice extends Forgotten {
  /** Position at which the next piece starts. `undefined`: everything is processed. */
  readonly next: Pick<ForgetStep, "after" | "key"> | undefined;
}

/** Result of one piece of a listing of the journal. */
export interface JournalSlice {
  readonly rows: readonly JournalRow[];
  /** `seq` below which the search continues if the page is not full. `undefined`: the search reached the end. */
  readonly next: number | undefined;
}

/** Calls whose parameters and results are the same in {@link Store} and in the store thread. */
type SameCalls =
  | "append"
  | "release"
  | "commit"
  | "changeItems"
  | "setMeta"
  | "load"
  | "listeners"
  | "slots"
  | "runsOf"
  | "silences"
  | "escalations"
  | "resolveEscalation"
  | "ruleSource"
  | "items"
  | "isForgotten"
  | "getMeta"
  | "metas"
  | "changeMetas"
  | "coverage"
  | "coverageGaps"
  | "cover"
  | "pauses"
  | "setPause"
  | "startRestored"
  | "hold"
  | "letGo"
  | "stats";

type Leased<Args> = Args extends readonly [unknown, ...infer Rest]
  ? [leases: readonly LeaseKey[], ...rest: Rest]
  : never;

/** Parameters of each call to the store thread, which holds the database file. */
export type CallParams = { [O in SameCalls]: Parameters<Store[O]> } & {
  [O in "openRuns" | "openItems" | "dueItems" | "overdueItems" | "partitionLag"]: Leased<
    Parameters<Store[O]>
  >;
} & {
  lease: Parameters<Store["lease"]>;
  fetch: [leases: readonly LeaseKey[], now: number, limit: number, busy: readonly string[]];
  journal: Parameters<Store["journal"]>;
  prune: [step: PruneStep];
  forget: [step: ForgetStep];
};

/** Type of the result, by the name of the call to the store thread. */
export type CallResults = {
  [
    O in
      | SameCalls
      | "openRuns"
      | "openItems"
      | "dueItems"
      | "overdueItems"
      | "partitionLag"
      | "fetch"
  ]: Awaited<ReturnType<Store[O]>>;
} & {
  lease: readonly LeaseKey[];
  journal: JournalSlice;
  prune: PruneSlice;
  forget: ForgetSlice;
};

export type CallName = keyof CallParams;

/** Functions that execute the calls in the store thread. */
export type Operations = {
  readonly [O in CallName]: (...args: CallParams[O]) => CallResults[O];
};

export interface StoreCall<O extends CallName = CallName> {
  readonly id: number;
  readonly name: O;
  readonly args: CallParams[O];
}

/** Fields of a {@link StoreError} that cross the thread boundary. */
export interface StoreFault {
  readonly code: StoreErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Answer of the store thread to the call `id`: the result, or the fault for which the call failed. */
export type CallOutcome =
  | { readonly id: number; readonly value: CallResults[CallName] }
  | { readonly id: number; readonly fault: StoreFault };

/** Calls that change the store. Calls that wait at the same time share one transaction and one disk sync. */
export const WRITES: ReadonlySet<CallName> = new Set<CallName>([
  "append",
  "lease",
  "release",
  "commit",
  "changeItems",
  "setMeta",
  "changeMetas",
  "cover",
  "setPause",
  "resolveEscalation",
  "prune",
  "forget",
  "startRestored",
]);

/** Options with which the store thread opens the database file. */
export interface StoreThreadOptions {
  readonly path: string;
  readonly maxBytes: number | undefined;
  /** Whether the store may only be read. Tables of an older version are then refused instead of migrated. */
  readonly readOnly?: boolean | undefined;
  /** Shared counters to which the thread adds its work. Absent: the work is not counted. */
  readonly counts?: WorkCounts | undefined;
}

/** Data that the store thread reports after it opened the file. */
export interface StoreReady {
  readonly partitions: number;
  /** Store id, which never changes. */
  readonly id: string;
  readonly migrated: StoreMigration | undefined;
}

/**
 * Messages from the store thread: first `ready` or `refused`, then the outcomes of calls. `lost` is the last message,
 * if the file is gone.
 */
export type FromStoreThread =
  | { readonly ready: StoreReady }
  | { readonly refused: StoreFault }
  | { readonly lost: StoreFault }
  | { readonly outcomes: readonly CallOutcome[] };

/** Messages to the store thread. */
export type ToStoreThread = { readonly calls: readonly StoreCall[] } | { readonly close: true };
