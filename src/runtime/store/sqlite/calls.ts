import type { StoreErrorCode } from "../errors.ts";
import type { Lease } from "../lease.ts";
import type { Forgotten, ForgetQuery, JournalRow } from "../listings.ts";
import type { Store } from "../store.ts";
import type { StoreMigration } from "../written-by.ts";

/** A lease without its deadline: the two threads' monotonic clocks don't start together. */
export type LeaseKey = Pick<Lease, "partition" | "epoch">;

/** Where a prune goes on, piece by piece. */
export interface PruneStep {
  readonly before: number;
  readonly now: number;
  /** Entries up to this seq were looked at. */
  readonly after: number;
}

/** One small piece of a prune. */
export interface PruneSlice {
  readonly dropped: number;
  /** Where the next piece goes on. `undefined`: done. */
  readonly next: number | undefined;
}

/** Where forgetting goes on, piece by piece. */
export interface ForgetStep extends ForgetQuery {
  /** Entries up to this seq were looked at. */
  readonly after: number;
  /** User state up to this key was looked at; absent: all of it. */
  readonly key?: string;
}

/** One small piece of forgetting. */
export interface ForgetSlice extends Forgotten {
  /** Where the next piece goes on. `undefined`: done. */
  readonly next: Pick<ForgetStep, "after" | "key"> | undefined;
}

/** One small piece of a listing of the journal. */
export interface JournalSlice {
  readonly rows: readonly JournalRow[];
  /** Entries below this `seq` were not looked at, though there was room for more. */
  readonly next: number | undefined;
}

/** Calls that mean the same on both sides of the thread. */
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
  | "getMeta"
  | "metas"
  | "changeMetas"
  | "coverage"
  | "coverageGaps"
  | "cover"
  | "pauses"
  | "setPause"
  | "takeUp"
  | "hold"
  | "letGo"
  | "stats";

type Leased<Args> = Args extends readonly [unknown, ...infer Rest]
  ? [leases: readonly LeaseKey[], ...rest: Rest]
  : never;

/** The parameters with which each call goes to the thread that holds the file. */
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

/** The result that each call brings back. */
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

/** The engine as the thread sees it: one function a call. */
export type Operations = {
  readonly [O in CallName]: (...args: CallParams[O]) => CallResults[O];
};

export interface StoreCall<O extends CallName = CallName> {
  readonly id: number;
  readonly name: O;
  readonly args: CallParams[O];
}

/** A {@link StoreError} as it crosses the thread. */
export interface StoreFault {
  readonly code: StoreErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What became of one call. */
export type CallOutcome =
  | { readonly id: number; readonly value: CallResults[CallName] }
  | { readonly id: number; readonly fault: StoreFault };

/** Calls that change the store: those that wait share a transaction and a device sync. */
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
  "takeUp",
]);

/** How the thread opens the file. */
export interface StoreThreadOptions {
  readonly path: string;
  readonly maxBytes: number | undefined;
  /** Nothing is changed, not even to bring up what an older version wrote. */
  readonly readOnly?: boolean | undefined;
}

/** What the thread found when it opened the file. */
export interface StoreReady {
  readonly partitions: number;
  /** Which store it is. */
  readonly id: string;
  readonly migrated: StoreMigration | undefined;
}

/** From the thread: first that it holds the file or why not, then the outcomes of calls, or last that the file is gone. */
export type FromStoreThread =
  | { readonly ready: StoreReady }
  | { readonly refused: StoreFault }
  | { readonly lost: StoreFault }
  | { readonly outcomes: readonly CallOutcome[] };

/** To the thread. */
export type ToStoreThread = { readonly calls: readonly StoreCall[] } | { readonly close: true };
