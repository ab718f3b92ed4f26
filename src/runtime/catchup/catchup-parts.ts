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

/** Notice that an account was linked or removed by the operator, or that its owner revoked the authorization. */
export interface CatchupAccountChange {
  readonly type: "linked" | "revoked" | "removed";
  readonly account: CatchupAccount;
}

/** Needs of replays by the platform. */
interface ReplaysNeeds {
  readonly app: { readonly replay: Pick<Client<"bearer">["replay"], "start" | "startJob"> };
  /** Returns the platform's id of the webhook; undefined until the webhook is registered. */
  readonly webhookId: () => string | undefined;
  /**
   * Returns a time from which the account is certainly subscribed to the webhook, in milliseconds since the epoch;
   * undefined if unknown. A replay proves nothing about earlier time.
   */
  readonly subscribedSince: (account: string) => number | undefined;
  /** Accounts whose deliveries may be missing, although the webhook and the subscriptions seem to work. */
  readonly doubts: DeliveryDoubts;
  /** Resolves once all receivers have been notified of the coming replay. Absent: this process is the only receiver. */
  readonly announced?: (() => Promise<void>) | undefined;
  /**
   * Reason why replays are never available: the transport that delivers the events has no replays. Absent: the platform
   * may replay.
   */
  readonly noReplay?: string | undefined;
}

export interface CatchupNeeds extends ReplaysNeeds {
  readonly store: Pick<
    Store,
    "coverage" | "coverageGaps" | "cover" | "getMeta" | "setMeta" | "journal"
  >;
  readonly clock: Clock;
  /** Returns real milliseconds (`performance.now()`), which do not change when the clock is moved. */
  readonly monotonic: () => number;
  readonly log: Log;
  readonly publish: (event: NewRuntimeEvent) => void;
  readonly accounts: {
    list(): readonly CatchupAccount[];
    find(id: string): CatchupAccount | undefined;
    subscribe(listener: (change: CatchupAccountChange) => void): () => void;
  };
  readonly clientOf: ReadBackNeeds["clientOf"];
  readonly append: AppendBackfill;
  readonly onFound: ReadBackNeeds["onFound"];
}
