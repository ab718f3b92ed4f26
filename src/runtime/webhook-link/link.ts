import type { Client } from "../../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { ReadinessPart } from "../readiness.ts";
import type { NewRuntimeEvent } from "../runtime-events.ts";
import type { Arrival, ArrivalCounts } from "./arrivals.ts";
import type { OtherWebhook } from "./other-webhooks.ts";
import type { ReachabilityChange } from "./reachability.ts";
import type { StandingSubscription } from "./subscription-ages.ts";
import type { WebhookLinkAccount } from "./subscriptions.ts";
import type { SubscribingClient, SubscriptionWay } from "./ways.ts";

/** Change of a bot account: it was linked or removed, or its owner revoked the authorization. */
export interface WebhookLinkChange {
  readonly type: "linked" | "revoked" | "removed";
  readonly account: WebhookLinkAccount;
}

/** Receivers of reports about the link. */
interface WebhookLinkReports {
  readonly readiness: ReadinessPart;
  /** Called with each subscription that exists or was created. */
  readonly onStanding?: ((subscription: StandingSubscription) => void) | undefined;
  readonly publish: (event: NewRuntimeEvent) => void;
  readonly log: Log;
  /**
   * Called with another webhook of the app that receives an account's events, before the bot's webhook is registered.
   */
  readonly onOtherWebhook?: ((other: OtherWebhook) => Promise<void>) | undefined;
}

export interface WebhookLinkNeeds extends WebhookLinkReports {
  /** Client with the app's own credentials. */
  readonly app: Client<"bearer">;
  /** Interface by which accounts are subscribed: account activity, the activity interface, or both. */
  readonly way: SubscriptionWay;
  /** Public https URL of the webhook. */
  readonly url: string;
  /** Accounts whose events should arrive. */
  readonly accounts: {
    list(): readonly WebhookLinkAccount[];
    subscribe(listener: (change: WebhookLinkChange) => void): () => void;
  };
  readonly clientOf: (account: string) => SubscribingClient | undefined;
  /** Clock of the platform; a jump triggers a check of the link at once. */
  readonly clock: Clock;
  /** Returns a random number, evenly distributed in [0, 1). */
  readonly random: () => number;
  /**
   * Resolves once this process knows the requests that others have received so far. Absent: this is the only process.
   */
  readonly otherReports?: (() => Promise<void>) | undefined;
  /** Real milliseconds between two checks while the link is up; by default a minute. */
  readonly lookEveryMs?: number;
}

/** Status of the webhook and its subscriptions. */
export interface WebhookLinkStatus {
  readonly webhookId?: string;
  /** Whether the platform's latest challenge was answered. */
  readonly valid: boolean;
  /** Reason why deliveries do not arrive, as far as known. */
  readonly trouble?: string;
  /** Ids of the accounts whose events arrive. */
  readonly subscribed: ReadonlySet<string>;
  /** Reasons why an account's events do not arrive, by account id. */
  readonly refused: ReadonlyMap<string, string>;
  readonly arrivals: ArrivalCounts;
  /** Time of an account's last delivery, in milliseconds since the epoch; undefined before the first. */
  readonly lastDeliveryOf: (account: string) => number | undefined;
}

/** Proof that the platform reached this machine. */
export interface DeliveryProof {
  /** Account of a delivery; absent for a challenge, and for a delivery that names none. */
  readonly account?: string;
  /** Time of the proof in milliseconds since the epoch, by the platform's clock. */
  readonly at: number;
}

/** Registers the webhook and the subscriptions of the linked accounts with the platform, checks them, and repairs them. */
export interface WebhookLink {
  /** Starts the checks. Resolves after the first check, even if it failed: problems are reported, and the check is repeated. */
  start(): Promise<void>;
  status(): WebhookLinkStatus;
  /** Records a request that the platform sent. @param at Time by the platform's clock; by default now. */
  arrived(arrival: Arrival, at?: number): void;
  /**
   * Calls `listener` with each account's current reachability, then with every change. Returns the function that unsubscribes.
   */
  onReachable(listener: (change: ReachabilityChange) => void): () => void;
  /** Calls `listener` with every proof that the platform reaches this machine. Returns the function that unsubscribes. */
  onProof(listener: (proof: DeliveryProof) => void): () => void;
  /** Calls `listener` with each rejected delivery, and its account if known. Returns the function that unsubscribes. */
  onRefused(listener: (refused: DeliveryProof) => void): () => void;
  /** Resolves when all changes of accounts so far have been carried out. */
  settled(): Promise<void>;
  /** Stops the checks, and resolves when the current check has ended. */
  stop(): Promise<void>;
}
