import type { Client } from "../../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { NewRuntimeEvent } from "../runtime-events.ts";
import type { Store } from "../store/store.ts";
import type { DeliveryDoubts } from "./delivery-watch.ts";
import type { AppendBackfill, ReadBackNeeds } from "./read-back.ts";

/** Bot account, with the fields that the catch-up needs. */
export interface CatchupAccount {
  readonly id: string;
  readonly username: string;
  readonly revoked?: string;
}

/** Change of an account's link to the bot. */
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
  /** Returns real milliseconds, which a move of the clock does not change: `performance.now()`. */
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
   * Time since which an account is surely subscribed to that webhook, in milliseconds since the epoch; undefined if unknown. A
   * replay proves nothing about earlier time.
   */
  readonly subscribedSince: (account: string) => number | undefined;
  /** Accounts whose deliveries may be missing even if the link reports them as reachable. */
  readonly doubts: DeliveryDoubts;
  readonly append: AppendBackfill;
  readonly onFound: ReadBackNeeds["onFound"];
  /** Resolves once all receivers have been notified of the coming replay. Absent: this process is the only receiver. */
  readonly announced?: (() => Promise<void>) | undefined;
  /** Reason why replays are unavailable: the transport that brings the events has none. */
  readonly noReplay?: string | undefined;
}
