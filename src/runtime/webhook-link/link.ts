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

/** What became of an account. */
export interface WebhookLinkChange {
  readonly type: "linked" | "revoked" | "removed";
  readonly account: WebhookLinkAccount;
}

export interface WebhookLinkNeeds {
  /** The app's own client. */
  readonly app: Client<"bearer">;
  /** How accounts are subscribed: by which of the platform's interfaces. */
  readonly way: SubscriptionWay;
  /** Public https URL of the webhook. */
  readonly url: string;
  /** The accounts whose events are to come. */
  readonly accounts: {
    list(): readonly WebhookLinkAccount[];
    subscribe(listener: (change: WebhookLinkChange) => void): () => void;
  };
  readonly clientOf: (account: string) => SubscribingClient | undefined;
  /** The platform's; a jump has the link looked at at once. */
  readonly clock: Clock;
  readonly readiness: ReadinessPart;
  /** Called with each subscription that is found or made. Absent: nobody wants to know. */
  readonly onStanding?: ((subscription: StandingSubscription) => void) | undefined;
  readonly publish: (event: NewRuntimeEvent) => void;
  readonly log: Log;
  /** Uniform draw in [0, 1). */
  readonly random: () => number;
  /** Resolves once what has come to other processes by now has been told here. Absent: there are none. */
  readonly heard?: (() => Promise<void>) | undefined;
  /** Called with another webhook of the app that gets an account's events, before this one is registered. */
  readonly onOtherWebhook?: ((other: OtherWebhook) => Promise<void>) | undefined;
  /** Real milliseconds between two looks while all is well. A minute unless said. */
  readonly lookEveryMs?: number;
}

/** Webhook and subscriptions as they stand. */
export interface WebhookLinkStatus {
  readonly webhookId?: string;
  /** Whether the platform's latest challenge was answered. */
  readonly valid: boolean;
  /** Why deliveries don't come, as far as that is known. */
  readonly trouble?: string;
  /** Ids of the accounts whose events come. */
  readonly subscribed: ReadonlySet<string>;
  /** Why an account's events don't come, by account id. */
  readonly refused: ReadonlyMap<string, string>;
  readonly arrivals: ArrivalCounts;
  /** When an account's last delivery came, in milliseconds since the epoch; undefined before the first. */
  readonly lastDeliveryOf: (account: string) => number | undefined;
}

/** The platform reached this machine. */
export interface DeliveryProof {
  /** Account that a delivery was for; absent of a challenge, and of a delivery that names none. */
  readonly account?: string;
  /** When, in milliseconds since the epoch by the platform's clock. */
  readonly at: number;
}

/** The webhook and the subscriptions of the linked accounts, as the platform has them: made, watched, mended. */
export interface WebhookLink {
  /**
   * Begins to watch. Resolves when it has looked once, whether all was well or not: what is missing is
   * told, and tried again.
   */
  start(): Promise<void>;
  status(): WebhookLinkStatus;
  /** Something came from the platform. @param at When, by its clock; now unless said. */
  arrived(arrival: Arrival, at?: number): void;
  /**
   * Calls `listener` for every account on every change of whether its events come, and now with how each
   * is. Returns what ends that.
   */
  onReachable(listener: (change: ReachabilityChange) => void): () => void;
  /** Calls `listener` whenever something proves that the platform reaches this machine. Returns what ends that. */
  onProof(listener: (proof: DeliveryProof) => void): () => void;
  /**
   * Calls `listener` with each delivery that was turned away, and its account where that is known. Returns what ends that.
   */
  onRefused(listener: (refused: DeliveryProof) => void): () => void;
  /** Resolves when the changes so far have been carried out. */
  settled(): Promise<void>;
  /** Watches no more, and resolves when what is under way has ended. */
  stop(): Promise<void>;
}
