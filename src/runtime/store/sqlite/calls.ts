import type { StoreErrorCode } from "../errors.ts";
import type {
  AppendResult,
  Decided,
  Entry,
  Item,
  ItemQuery,
  JournalQuery,
  JournalRow,
  Lease,
  Mark,
  NewEntry,
  StoreStats,
} from "../store.ts";

/** What each call carries to the thread that holds the file. */
export interface Takes {
  append: [entries: readonly NewEntry[]];
  lease: [worker: string, ttlMs: number];
  release: [worker: string];
  commit: [worker: string, decided: readonly Decided[]];
  mark: [worker: string, marks: readonly Mark[]];
  setMeta: [name: string, value: string];
  prune: [before: number, after: number];
  fetch: [leases: readonly Held[], now: number, limit: number, busy: readonly string[]];
  load: [keys: readonly string[]];
  outbox: [leases: readonly Held[], now: number, limit: number];
  journal: [query: JournalQuery];
  items: [query: ItemQuery];
  getMeta: [name: string];
  stats: [];
}

/** What each call gives back. */
export interface Gives {
  append: readonly AppendResult[];
  lease: readonly Held[];
  release: void;
  commit: readonly boolean[];
  mark: readonly boolean[];
  setMeta: void;
  prune: PruneSlice;
  fetch: readonly Entry[];
  load: ReadonlyMap<string, string>;
  outbox: readonly Item[];
  journal: JournalSlice;
  items: readonly Item[];
  getMeta: string | undefined;
  stats: StoreStats;
}

export type Op = keyof Takes;

/** The engine as the thread sees it: one function a call. */
export type Operations = { readonly [O in Op]: (...args: Takes[O]) => Gives[O] };

/** A lease without its deadline: the two threads' monotonic clocks don't start together. */
export type Held = Pick<Lease, "partition" | "epoch">;

/** One small piece of a prune. */
export interface PruneSlice {
  readonly dropped: number;
  /** Where the next piece goes on. `undefined`: done. */
  readonly next: number | undefined;
}

/** One small piece of a listing of the journal. */
export interface JournalSlice {
  readonly rows: readonly JournalRow[];
  /** Entries below this `seq` were not looked at, though there was room for more. */
  readonly next: number | undefined;
}

export interface Call<O extends Op = Op> {
  readonly id: number;
  readonly op: O;
  readonly args: Takes[O];
}

export interface Fault {
  readonly code: StoreErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What became of one call. */
export type Answer =
  | { readonly id: number; readonly value: Gives[Op] }
  | { readonly id: number; readonly fault: Fault };

/** Calls that change the store: those that wait share a transaction and a device sync. */
export const WRITES: ReadonlySet<Op> = new Set<Op>([
  "append",
  "lease",
  "release",
  "commit",
  "mark",
  "setMeta",
  "prune",
]);

export interface ThreadOptions {
  readonly path: string;
  readonly maxBytes: number | undefined;
}

/** What the thread says: first that it holds the file or why not, then answers. */
export type Said =
  | { readonly ready: { readonly partitions: number } }
  | { readonly refused: Fault }
  | { readonly answers: readonly Answer[] };

/** What the thread is told. */
export type Told = { readonly calls: readonly Call[] } | { readonly close: true };
