import type { Client } from "../../client/client.ts";

/** Subscription of an account's events to a webhook. */
export interface SubscriptionOf {
  readonly userId: string;
  readonly webhookId: string;
}

/** App client, reduced to the parts that subscribing needs. */
export type SubscribingApp = Pick<Client<"bearer">, "activity" | "activitySubscriptions">;

/** Account client, reduced to the parts that subscribing needs. */
export type SubscribingClient = Pick<
  Client<"oauth1">,
  "activity" | "activitySubscriptions" | "users"
>;

/**
 * Way to subscribe accounts to a webhook: by account activity, by its successor (the activity interface), or by both.
 * Events that rules and bots listen to are needed; subscriptions for other events are optional.
 */
export interface SubscriptionWay {
  /**
   * Returns the user ids of the accounts for which all needed subscriptions to a webhook exist.
   *
   * @throws {PlatformError} or another error of the client, if the platform does not answer.
   */
  subscribers(webhookId: string, accounts: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Returns the user ids of the accounts that have any subscription to a webhook, needed or optional.
   *
   * @throws {PlatformError} or another error of the client, if the platform does not answer.
   */
  present(webhookId: string, accounts: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Subscribes an account to its needed events; an existing subscription counts as success.
   *
   * @throws {PlatformError} if the platform refuses.
   */
  subscribe(client: SubscribingClient, subscription: SubscriptionOf): Promise<void>;
  /**
   * Ends all subscriptions of an account; a missing one counts as success.
   *
   * @throws {PlatformError} if the platform refuses.
   */
  unsubscribe(subscription: SubscriptionOf): Promise<void>;
  /**
   * Checks the account's own tokens with a request: a change of the app's permission level makes them invalid.
   *
   * @throws {PlatformError} if the platform refuses the tokens.
   */
  verify?(client: SubscribingClient, subscription: SubscriptionOf): Promise<void>;
  /** Creates optional subscriptions, once all accounts have the needed ones. Refusals are logged, not thrown. */
  fill?(accounts: ReadonlyMap<string, SubscribingClient>, webhookId: string): Promise<void>;
  /** Whether the platform keeps a subscription after the account's owner has revoked the authorization. */
  readonly outlivesAuthorization?: true;
}
