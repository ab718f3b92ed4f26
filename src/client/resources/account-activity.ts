import { z } from "zod";
import { dataOf } from "../reading/response.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { APP, type Endpoints, SIGNED } from "../http/endpoint.ts";

const Subscribed = z.object({ subscribed: z.boolean() });
const Subscriptions = z.object({
  application_id: z.string(),
  webhook_id: z.string(),
  webhook_url: z.string(),
  subscriptions: z.array(z.object({ user_id: z.string() })).default([]),
});
/** Schema of the numbers of subscriptions, which the platform sends as text. */
const Count = z.object({
  account_name: z.string(),
  provisioned_count: z.string(),
  subscriptions_count_all: z.string(),
  subscriptions_count_direct_messages: z.string(),
});

/** The users subscribed to a webhook. */
export type SubscriptionList = z.infer<typeof Subscriptions>;

/** Numbers of provisioned and used subscriptions, as text. */
export type SubscriptionCount = z.infer<typeof Count>;

/** Webhook and user of a subscription. */
export interface SubscriptionId {
  readonly webhookId: string;
  readonly userId: string;
}

/** Account activity: subscriptions of users' events to a webhook. */
export interface AccountActivityMethods {
  /**
   * Subscribes the owner of the credentials. The first events may take 10 seconds to arrive.
   *
   * @throws PlatformError with reason `DuplicateSubscriptionFailed`, `SubscriptionLimitExceeded` or `WebhookIdInvalid`
   */
  subscribe(webhookId: string, options?: CallOptions): Promise<{ subscribed: boolean }>;
  /** Whether the owner of the credentials is subscribed. */
  isSubscribed(webhookId: string, options?: CallOptions): Promise<boolean>;
  /** Ends a user's subscription. @throws PlatformError with reason `SubscriptionNotFound` or `WebhookIdInvalid` */
  unsubscribe(
    subscription: SubscriptionId,
    options?: CallOptions,
  ): Promise<{ subscribed: boolean }>;
  /** The users subscribed to a webhook. @throws PlatformError with reason `WebhookIdInvalid` */
  list(webhookId: string, options?: CallOptions): Promise<SubscriptionList>;
  /** Returns the number of used subscriptions, and the number of subscriptions that the app may have. */
  count(options?: CallOptions): Promise<SubscriptionCount>;
}

const ALL = "/2/account_activity/webhooks/:webhook_id/subscriptions/all";

/** Endpoints of the account activity methods. */
export const ACCOUNT_ACTIVITY = {
  subscribe: { method: "POST", path: ALL, takes: SIGNED },
  isSubscribed: { method: "GET", path: ALL, takes: SIGNED },
  unsubscribe: {
    method: "DELETE",
    path: "/2/account_activity/webhooks/:webhook_id/subscriptions/:user_id/all",
    takes: APP,
  },
  list: { method: "GET", path: `${ALL}/list`, takes: APP },
  count: { method: "GET", path: "/2/account_activity/subscriptions/count", takes: APP },
} as const satisfies Endpoints<AccountActivityMethods>;

/** Creates the methods of account activity, which send their requests through `caller`. */
export function accountActivity(caller: Caller): AccountActivityMethods {
  const at = (webhookId: string) => ({ path: { webhook_id: webhookId } });
  return {
    subscribe: async (webhookId, options) =>
      dataOf(await caller.call(ACCOUNT_ACTIVITY.subscribe, at(webhookId), options), Subscribed),
    isSubscribed: async (webhookId, options) => {
      const answer = await caller.call(ACCOUNT_ACTIVITY.isSubscribed, at(webhookId), options);
      return dataOf(answer, Subscribed).subscribed;
    },
    unsubscribe: async ({ webhookId, userId }, options) => {
      const input = { path: { webhook_id: webhookId, user_id: userId } };
      return dataOf(await caller.call(ACCOUNT_ACTIVITY.unsubscribe, input, options), Subscribed);
    },
    list: async (webhookId, options) =>
      dataOf(await caller.call(ACCOUNT_ACTIVITY.list, at(webhookId), options), Subscriptions),
    count: async (options) => dataOf(await caller.call(ACCOUNT_ACTIVITY.count, {}, options), Count),
  };
}
