import type { Client } from "../../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { NewRuntimeEvent } from "../runtime-events.ts";
import type { Store } from "../store/store.ts";
import type { DeliveryDoubts } from "./delivery-watch.ts";
import type { AppendBackfill, ReadBackNeeds } from "./read-back.ts";

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
