import { z } from "zod";
import type { ActivityDirection, ActivityEventType } from "../../protocol/activity-event-types.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { ANY, APP, type Endpoints } from "../http/endpoint.ts";
import { type Paged, paged } from "../reading/paging.ts";
import { checkedPart, dataOf } from "../reading/response.ts";
import {
  ActivityFilter,
  type ActivityStreamEvent,
  type ActivityStreamParams,
  followActivity,
} from "../streaming/follow-activity.ts";

const Subscription = z.object({
  subscription_id: z.string(),
  /** Event type such as `dm.received`. Newer versions of the platform may add types that this client does not list. */
  event_type: z.string(),
  filter: ActivityFilter,
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  tag: z.string().optional(),
  webhook_id: z.string().optional(),
});
const One = z.object({ subscription: Subscription });
const Deleted = z.object({ deleted: z.boolean() });
const Meta = z.object({ next_token: z.string().optional() });
/** Older versions of the platform send a single `deleted` for all ids that are not in `errors`. */
const SomeDeleted = z.union([
  z.array(z.object({ subscription_id: z.string(), deleted: z.boolean() })),
  Deleted,
]);
const NotDeleted = z.array(
  z.object({
    subscription_id: z.string(),
    reason: z.string().optional(),
    message: z.string().optional(),
    detail: z.string().optional(),
  }),
);

/** A subscription of the activity interface. */
export type ActivitySubscription = z.infer<typeof Subscription>;

/** A page of subscriptions. */
export interface ActivitySubscriptionPage {
  readonly data: readonly ActivitySubscription[];
  readonly meta: { readonly next_token?: string | undefined };
}

/** Ids of the deleted subscriptions, and errors for the ids that could not be deleted. */
export interface DeletedActivitySubscriptions {
  readonly deleted: readonly string[];
  readonly failed: z.infer<typeof NotDeleted>;
}

/** New subscription to one event type of one user. */
export interface NewActivitySubscription {
  /** Event type such as `dm.received` or `post.mention.create`. */
  readonly eventType: ActivityEventType;
  /** User to watch; required for all types but `news.new`. */
  readonly userId?: string | undefined;
  /**
   * Limits the events to actions on the user, or to actions by the user; default both. Not for `mute.*` and `block.*`.
   */
  readonly direction?: ActivityDirection | undefined;
  /** Limits the events to posts or news with this word; 1 to 150 characters. */
  readonly keyword?: string | undefined;
  /** Label on each event of the subscription; 1 to 200 characters. */
  readonly tag?: string | undefined;
  /** Webhook for the subscription's events; without a webhook, events come on the stream only. */
  readonly webhookId?: string | undefined;
}

/** Changeable fields of a subscription. */
export type ActivitySubscriptionChange = Pick<NewActivitySubscription, "tag" | "webhookId">;

/** Size and start of a page of subscriptions. */
export interface ActivitySubscriptionListParams {
  /** Number of subscriptions on a page, from 1 to 1000. */
  readonly maxResults?: number | undefined;
  readonly paginationToken?: string | undefined;
}

/** The activity interface, the successor of account activity: subscriptions by user and event type. */
export interface ActivitySubscriptionsMethods {
  /**
   * Subscribes to one event type of one user. Private types (`dm.*`, `like.*`, `mute.*`, `block.*`, `chat.*`) require
   * the user's own credentials: OAuth 1.0a, or OAuth 2.0 with the scope.
   *
   * @throws PlatformError with reason `DuplicateSubscriptionFailed`, `SubscriptionLimitExceeded` or `WebhookIdInvalid`
   * @example
   * await client.activitySubscriptions.create({
   *   eventType: "dm.received",
   *   userId: "42",
   *   webhookId: "1146654567674912769",
   * });
   */
  create(
    subscription: NewActivitySubscription,
    options?: CallOptions,
  ): Promise<ActivitySubscription>;
  /**
   * The app's subscriptions, newest first.
   *
   * @example
   * for await (const { event_type, filter } of client.activitySubscriptions.list()) {
   *   console.log(event_type, filter.user_id);
   * }
   */
  list(
    params?: ActivitySubscriptionListParams,
    options?: CallOptions,
  ): Paged<ActivitySubscription, ActivitySubscriptionPage>;
  /**
   * Changes the tag or the webhook.
   *
   * @throws PlatformError with reason `SubscriptionNotFound`, `WebhookIdInvalid` or `DuplicateSubscriptionFailed`
   */
  update(
    subscriptionId: string,
    change: ActivitySubscriptionChange,
    options?: CallOptions,
  ): Promise<ActivitySubscription>;
  /** Ends a subscription. @throws PlatformError with reason `SubscriptionNotFound` */
  delete(subscriptionId: string, options?: CallOptions): Promise<{ deleted: boolean }>;
  /** Ends up to 100 subscriptions. `failed` lists the ones that could not be deleted. */
  deleteMany(
    subscriptionIds: readonly string[],
    options?: CallOptions,
  ): Promise<DeletedActivitySubscriptions>;
  /**
   * Live events of all the app's subscriptions, including those that have a webhook. Each event comes once, also after
   * a reconnect.
   *
   * A stream that ends, breaks or stalls is reconnected: at once, then with growing waits. Up to five minutes of missed
   * events come from the stream's backfill; older events are lost. `onGap` is called for each gap and reports whether
   * the gap was filled. Events of a gap may come after newer events.
   *
   * The loop ends when `signal` aborts or the client closes. The loop throws an error if a retry would fail the same
   * way.
   *
   * @throws PlatformError with status 401 or 403 if the app has no permission.
   * @example
   * const app = client.as({ type: "bearer", bearerToken: "…" });
   * const events = app.activitySubscriptions.events({
   *   onGap: ({ from, to, filled }) => console.log(`not there from ${from} to ${to}; filled: ${filled}`),
   * });
   * for await (const { event_type, payload } of events) console.log(event_type, payload);
   */
  events(params?: ActivityStreamParams): AsyncGenerator<ActivityStreamEvent, void, undefined>;
}

const ALL = "/2/activity/subscriptions";

/** Endpoints of the activity interface's methods. */
export const ACTIVITY_SUBSCRIPTIONS = {
  create: { method: "POST", path: ALL, takes: ANY },
  list: { method: "GET", path: ALL, takes: ANY },
  update: { method: "PUT", path: `${ALL}/:subscription_id`, takes: APP },
  delete: { method: "DELETE", path: `${ALL}/:subscription_id`, takes: APP },
  deleteMany: { method: "DELETE", path: ALL, takes: APP },
  events: { method: "GET", path: "/2/activity/stream", takes: APP },
} as const satisfies Endpoints<ActivitySubscriptionsMethods>;

/** Creates the methods of the activity interface, which send their requests through `caller`. */
export function activitySubscriptions(caller: Caller): ActivitySubscriptionsMethods {
  const at = (id: string) => ({ path: { subscription_id: id } });
  return {
    create: async (wanted, options) => {
      const answer = await caller.call(
        ACTIVITY_SUBSCRIPTIONS.create,
        { json: bodyOf(wanted) },
        options,
      );
      return dataOf(answer, One).subscription;
    },
    list: (params = {}, options) =>
      paged<ActivitySubscription, ActivitySubscriptionPage>(
        async (token) => {
          const { maxResults, paginationToken } = params;
          const query = { max_results: maxResults, pagination_token: token ?? paginationToken };
          const answer = await caller.call(ACTIVITY_SUBSCRIPTIONS.list, { query }, options);
          const data = checkedPart(
            answer,
            answer.body["data"] ?? [],
            z.array(Subscription),
            "data",
          );
          const meta = checkedPart(answer, answer.body["meta"] ?? {}, Meta, "meta");
          return { page: { data, meta }, next: meta.next_token, answer };
        },
        ({ data }) => data,
      ),
    update: async (id, { tag, webhookId }, options) => {
      const input = { ...at(id), json: { tag, webhook_id: webhookId } };
      const answer = await caller.call(ACTIVITY_SUBSCRIPTIONS.update, input, options);
      return dataOf(answer, One).subscription;
    },
    delete: async (id, options) =>
      dataOf(await caller.call(ACTIVITY_SUBSCRIPTIONS.delete, at(id), options), Deleted),
    deleteMany: async (ids, options) => {
      const input = { query: { ids } };
      const answer = await caller.call(ACTIVITY_SUBSCRIPTIONS.deleteMany, input, options);
      const gone = checkedPart(answer, answer.body["data"] ?? [], SomeDeleted, "data");
      const failed = checkedPart(answer, answer.body["errors"] ?? [], NotDeleted, "errors");
      const isLeft = (id: string): boolean => failed.some((one) => one.subscription_id === id);
      const deleted = Array.isArray(gone)
        ? gone.filter((one) => one.deleted).map((one) => one.subscription_id)
        : ids.filter((id) => gone.deleted && !isLeft(id));
      return { deleted, failed };
    },
    events: (params) => followActivity(caller, ACTIVITY_SUBSCRIPTIONS.events, params),
  };
}

function bodyOf(wanted: NewActivitySubscription): Record<string, unknown> {
  const { eventType, userId, direction, keyword, tag, webhookId } = wanted;
  const filter = { user_id: userId, direction, keyword };
  return { event_type: eventType, filter, tag, webhook_id: webhookId };
}
