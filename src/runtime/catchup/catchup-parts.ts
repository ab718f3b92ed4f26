import type { Client } from "../../client/client.ts";
import type { Span } from "../../system/spans.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { NewRuntimeEvent } from "../runtime-events.ts";
import type { EntrySource, NewEntry } from "../store/entry.ts";
import type { Store } from "../store/store.ts";
import type { CatchupStatus } from "./catchup-status.ts";
import type { CoverageShown } from "./coverage-view.ts";
import type { DeliveryDoubts, DeliveryWatch } from "./delivery-watch.ts";
import type { DeliveryGate } from "./gate.ts";
import type { AppendBackfill, ReadBackNeeds } from "./read-back.ts";
import type { HandAnswer, ListedReplay } from "./replay/replay-list.ts";

/** A bot account as the catch-up knows it. */
export interface CatchupAccount {
  readonly id: string;
  readonly username: string;
  readonly revoked?: string;
}

/** What became of an account. */
export interface CatchupAccountChange {
  readonly type: "linked" | "revoked" | "removed";
  readonly account: CatchupAccount;
}

export interface CatchupNeeds {
  readonly store: Pick<
    Store,
    "coverage" | "coverageGaps" | "cover" | "getMeta" | "setMeta" | "journal"
  >;
  readonly clock: Clock;
  /** Real milliseconds that go on while the clock is moved: `performance.now()`. */
  readonly monotonic: () => number;
  readonly log: Log;
  readonly publish: (event: NewRuntimeEvent) => void;
  readonly accounts: {
    list(): readonly CatchupAccount[];
    find(id: string): CatchupAccount | undefined;
    subscribe(listener: (change: CatchupAccountChange) => void): () => void;
  };
  readonly app: { readonly replay: Pick<Client<"bearer">["replay"], "start" | "startJob"> };
  readonly clientOf: ReadBackNeeds["clientOf"];
  /** The platform's id of our webhook; undefined until it is registered. */
  readonly webhookId: () => string | undefined;
  /**
   * Since when an account's subscription to that webhook has surely stood, in milliseconds since the epoch: a replay
   * vouches for no time before. Undefined: nobody knows.
   */
  readonly subscribedSince: (account: string) => number | undefined;
  /** Accounts whose deliveries may be missing, whatever the link says. */
  readonly doubts: DeliveryDoubts;
  readonly append: AppendBackfill;
  readonly onFound: ReadBackNeeds["onFound"];
  /** Resolves once all processes that take deliveries in know of the replay that is to begin. Absent: this one does. */
  readonly announced?: (() => Promise<void>) | undefined;
  /** Why there are no replays at all: the way by which events come has none. */
  readonly noReplay?: string | undefined;
}

/** Knows what was missed, and gets it. */
export interface Catchup {
  /**
   * Reads what was missed since the last run, before the webhook listens: so the people who wrote
   * meanwhile are answered in order. Goes on by itself where it takes longer than 20 seconds.
   */
  readMissed(): Promise<void>;
  /** From now on follows whether deliveries come. */
  follow(watch: DeliveryWatch): void;
  /** Every delivery of the webhook passes through it. */
  readonly gate: DeliveryGate;
  /** How an event that came by `source` is marked: as replayed, where a replay brought it. */
  sourceOf(source: EntrySource, at: number): EntrySource;
  /** New events are in the journal. */
  onAppended(entries: readonly NewEntry[]): void;
  /** Entries came again that the journal had already. */
  onKnown(entries: readonly NewEntry[]): void;
  /** The same of events that replays brought to other processes: new ones by account, and how many were known. */
  replayedElsewhere(fresh: ReadonlyMap<string, number>, known: number): void;
  /** What a replay delivers again just now; undefined while none is under way. */
  replaying(): Span | undefined;
  /** Ids of the accounts whose deliveries come. */
  reachable(): readonly string[];
  /** How the time of the linked accounts is covered. */
  coverage(query: { readonly hours: number }): Promise<CoverageShown>;
  /** Has the platform deliver a stretch of time again, as a person asks. Negative times are ago. */
  replay(window: Span): HandAnswer | Promise<HandAnswer>;
  /** The replay under way, those that wait, and the last that are over. */
  replays(): ListedReplay[];
  /** What is being caught up just now. */
  status(): CatchupStatus;
  stop(): Promise<void>;
}
