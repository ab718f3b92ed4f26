import type { Client } from "../../client/client.ts";

/** Which account's events go to which webhook. */
export interface SubscriptionOf {
  readonly userId: string;
  readonly webhookId: string;
}

/** The app's own client, as far as subscribing needs it. */
export type SubscribingApp = Pick<Client<"bearer">, "activity" | "activitySubscriptions">;

/** An account's client, as far as subscribing needs it. */
export type SubscribingClient = Pick<Client<"oauth1">, "activity" | "activitySubscriptions">;

/** Which of the platform's interfaces brings an account's events to a webhook: one of them, or both. */
export interface SubscriptionWay {
  /**
   * Which of these accounts' events come to a webhook, by user id: all that is needed of them.
   *
   * @throws {PlatformError} and the like when the platform does not say.
   */
  subscribers(webhookId: string, accounts: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * For which of these accounts there is anything at all, needed or not.
   *
   * @throws {PlatformError} and the like when the platform does not say.
   */
  present(webhookId: string, accounts: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Has an account's events come; what is there already is success.
   *
   * @throws {PlatformError} when the platform refuses.
   */
  subscribe(client: SubscribingClient, subscription: SubscriptionOf): Promise<void>;
  /**
   * Ends what there is for an account; nothing there is success.
   *
   * @throws {PlatformError} when the platform refuses.
   */
  unsubscribe(subscription: SubscriptionOf): Promise<void>;
  /** Makes what is of use beyond what is needed, once all accounts have that. Refusals are told, not thrown. */
  fill?(accounts: ReadonlyMap<string, SubscribingClient>, webhookId: string): Promise<void>;
  /** The platform does not end it by itself when the account's owner takes the authorization away. */
  readonly outlivesAuthorization?: true;
}
