import type { AdsNotice, ApiResponse, CallOptions } from "./http/api-caller.ts";
import type { Caller } from "./http/caller.ts";
import type { Credentials } from "./auth/credentials.ts";
import type { CredentialKind, Endpoint, For } from "./http/endpoint.ts";
import type { RateLimitView } from "./http/rate-limits.ts";
import type { CallInput } from "./http/request.ts";
import {
  ACCOUNT_ACTIVITY,
  accountActivity,
  type AccountActivityMethods,
} from "./resources/account-activity.ts";
import {
  ACTIVITY_SUBSCRIPTIONS,
  activitySubscriptions,
  type ActivitySubscriptionsMethods,
} from "./resources/activity-subscriptions.ts";
import { ACCOUNT, account, type AccountMethods } from "./resources/account.ts";
import {
  APP_EVENT_TAGS,
  appEventTags,
  type AppEventTagsMethods,
} from "./resources/ads/app-event-tags.ts";
import { APP_LISTS, appLists, type AppListsMethods } from "./resources/ads/app-lists.ts";
import { CONVERSIONS, conversions, type ConversionsMethods } from "./resources/ads/conversions.ts";
import { MEDIA, media, type MediaMethods } from "./resources/media/media.ts";
import { COUNTS, counts, type CountsMethods } from "./resources/counts.ts";
import {
  FILTERED_STREAM,
  filteredStream,
  type FilteredStreamMethods,
} from "./streaming/filtered-stream.ts";
import { BLOCKS, blocks, type BlocksMethods } from "./resources/blocks.ts";
import { BOOKMARKS, bookmarks, type BookmarksMethods } from "./resources/bookmarks.ts";
import { directMessages, type DirectMessagesMethods, DMS } from "./resources/direct-messages.ts";
import { FOLLOWS, follows, type FollowsMethods } from "./resources/follows.ts";
import { LIKES, likes, type LikesMethods } from "./resources/likes.ts";
import { LISTS, lists, type ListsMethods } from "./resources/lists.ts";
import { MUTES, mutes, type MutesMethods } from "./resources/mutes.ts";
import { POSTS, posts, type PostsMethods } from "./resources/posts.ts";
import { REPLAY, replay, type ReplayMethods } from "./resources/replay.ts";
import { REPOSTS, reposts, type RepostsMethods } from "./resources/reposts.ts";
import { SPACES, spaces, type SpacesMethods } from "./resources/spaces.ts";
import { TIMELINES, timelines, type TimelinesMethods } from "./resources/timelines.ts";
import { CONNECTIONS, connections, type ConnectionsMethods } from "./resources/connections.ts";
import { USAGE, usage, type UsageMethods } from "./resources/usage.ts";
import { USERS, users, type UsersMethods } from "./resources/users.ts";
import { WEBHOOKS, webhooks, type WebhooksMethods } from "./resources/webhooks.ts";

/** Re-exports for the rest of the package. */
export type { Credentials, OAuth1Credentials } from "./auth/credentials.ts";
export type { ApiResponse, CallOptions } from "./http/api-caller.ts";
export type { Caller } from "./http/caller.ts";
export { pathToPostDialect } from "./http/dialect.ts";
export type { AnswerHeaders, RateLimit, RateLimits } from "./http/rate-limits.ts";
export type { CallInput } from "./http/request.ts";
export type { AppEventTag } from "./objects/app-event-tag.ts";
export type { UserAndTarget } from "./resources/act-on.ts";
export type { ClickWindow, ViewWindow } from "./resources/ads/conversions.ts";
export type { CreatedPost } from "./resources/posts.ts";
export type { ReplayJob, ReplayWindow } from "./resources/replay.ts";
export type { PostUsage } from "./resources/usage.ts";
export type { WebhookConfig } from "./resources/webhooks.ts";
export type { TriedRequest } from "./settings.ts";

/** Every endpoint that the client calls, by resource and method. */
export const ENDPOINTS = {
  posts: POSTS,
  counts: COUNTS,
  filteredStream: FILTERED_STREAM,
  users: USERS,
  timelines: TIMELINES,
  likes: LIKES,
  reposts: REPOSTS,
  bookmarks: BOOKMARKS,
  lists: LISTS,
  spaces: SPACES,
  follows: FOLLOWS,
  blocks: BLOCKS,
  mutes: MUTES,
  dms: DMS,
  webhooks: WEBHOOKS,
  activity: ACCOUNT_ACTIVITY,
  activitySubscriptions: ACTIVITY_SUBSCRIPTIONS,
  replay: REPLAY,
  connections: CONNECTIONS,
  usage: USAGE,
  media: MEDIA,
  account: ACCOUNT,
  conversions: CONVERSIONS,
  appEventTags: APP_EVENT_TAGS,
  appLists: APP_LISTS,
} as const;

type Named<Table> = {
  [Method in keyof Table]: Table[Method] extends {
    readonly method: infer Verb extends string;
    readonly path: infer Path extends string;
  }
    ? `${Verb} ${Path}`
    : never;
}[keyof Table];

/** Endpoint names such as `POST /2/posts`, as in errors and in the rate limit view. */
export type EndpointName = {
  [Resource in keyof typeof ENDPOINTS]: Named<(typeof ENDPOINTS)[Resource]>;
}[keyof typeof ENDPOINTS];

/** A request to an endpoint that this client has no method for. */
export interface OtherRequest extends CallInput {
  readonly method: Endpoint["method"];
  /**
   * Path template such as `/2/communities/:id`, filled from `path`. Its parameters belong into `query`. In the tweet
   * dialect, `posts` becomes `tweets`.
   */
  readonly endpoint: `/${string}`;
  /** Calls the advertising host instead; `endpoint` is then the path after the version. */
  readonly ads?: true;
}

/** Resources about posts. */
interface PostResources<Kind extends CredentialKind> {
  /** Posts: write, delete, look up, search, hide replies: {@link PostsMethods}. */
  readonly posts: For<Kind, PostsMethods, typeof POSTS>;
  /** Numbers of posts that match a search: {@link CountsMethods}. */
  readonly counts: For<Kind, CountsMethods, typeof COUNTS>;
  /** Live posts that match the app's stream rules: {@link FilteredStreamMethods}. */
  readonly filteredStream: For<Kind, FilteredStreamMethods, typeof FILTERED_STREAM>;
  /** A user's posts, and posts that mention a user: {@link TimelinesMethods}. */
  readonly timelines: For<Kind, TimelinesMethods, typeof TIMELINES>;
  /** Likes: {@link LikesMethods}. */
  readonly likes: For<Kind, LikesMethods, typeof LIKES>;
  /** Reposts: {@link RepostsMethods}. */
  readonly reposts: For<Kind, RepostsMethods, typeof REPOSTS>;
  /** Bookmarks: {@link BookmarksMethods}. */
  readonly bookmarks: For<Kind, BookmarksMethods, typeof BOOKMARKS>;
  /** Pictures and videos: {@link MediaMethods}. */
  readonly media: For<Kind, MediaMethods, typeof MEDIA>;
}

/** Resources about people, and about the account itself. */
interface PeopleResources<Kind extends CredentialKind> {
  /** User profiles: {@link UsersMethods}. */
  readonly users: For<Kind, UsersMethods, typeof USERS>;
  /** Lists of people: {@link ListsMethods}. */
  readonly lists: For<Kind, ListsMethods, typeof LISTS>;
  /** Conversations by voice: {@link SpacesMethods}. */
  readonly spaces: For<Kind, SpacesMethods, typeof SPACES>;
  /** Follows: {@link FollowsMethods}. */
  readonly follows: For<Kind, FollowsMethods, typeof FOLLOWS>;
  /** Blocked users: {@link BlocksMethods}. */
  readonly blocks: For<Kind, BlocksMethods, typeof BLOCKS>;
  /** Muted users: {@link MutesMethods}. */
  readonly mutes: For<Kind, MutesMethods, typeof MUTES>;
  /** Direct messages: {@link DirectMessagesMethods}. */
  readonly dms: For<Kind, DirectMessagesMethods, typeof DMS>;
  /** The account that owns the credentials: {@link AccountMethods}. */
  readonly account: For<Kind, AccountMethods, typeof ACCOUNT>;
}

/** Resources about the delivery of events, and about the app's use of the platform. */
interface EventResources<Kind extends CredentialKind> {
  /** Webhooks, the URLs to which the platform delivers events: {@link WebhooksMethods}. */
  readonly webhooks: For<Kind, WebhooksMethods, typeof WEBHOOKS>;
  /** Account activity: subscriptions of users' events to a webhook: {@link AccountActivityMethods}. */
  readonly activity: For<Kind, AccountActivityMethods, typeof ACCOUNT_ACTIVITY>;
  /** Subscriptions by event type, the successor of account activity: {@link ActivitySubscriptionsMethods}. */
  readonly activitySubscriptions: For<
    Kind,
    ActivitySubscriptionsMethods,
    typeof ACTIVITY_SUBSCRIPTIONS
  >;
  /** Redelivery of the last day's events: {@link ReplayMethods}. */
  readonly replay: For<Kind, ReplayMethods, typeof REPLAY>;
  /** Open connections of the app's streams: {@link ConnectionsMethods}. */
  readonly connections: For<Kind, ConnectionsMethods, typeof CONNECTIONS>;
  /** Posts that count towards the monthly post cap: {@link UsageMethods}. */
  readonly usage: For<Kind, UsageMethods, typeof USAGE>;
}

/** All resources of a client with credentials of kind `Kind`. A method that refuses this kind does not compile. */
export interface Resources<Kind extends CredentialKind>
  extends PostResources<Kind>, PeopleResources<Kind>, EventResources<Kind> {
  /** Conversions: record them, look up their attribution: {@link ConversionsMethods}. */
  readonly conversions: For<Kind, ConversionsMethods, typeof CONVERSIONS>;
  /** Tags of app events: {@link AppEventTagsMethods}. */
  readonly appEventTags: For<Kind, AppEventTagsMethods, typeof APP_EVENT_TAGS>;
  /** Lists of apps: {@link AppListsMethods}. */
  readonly appLists: For<Kind, AppListsMethods, typeof APP_LISTS>;
}

/**
 * The platform's API, with one set of credentials.
 *
 * Parameters are camelCase. Results are the platform's objects in the post dialect, with the platform's field names
 * (`created_at`, `public_metrics.repost_count`), because field selection uses the same names. IDs are strings. Calling
 * a method whose endpoint does not accept credentials of kind `Kind` does not compile.
 */
export interface Client<Kind extends CredentialKind = CredentialKind> extends Resources<Kind> {
  /** The last known rate limit budgets of each endpoint. */
  readonly rateLimits: RateLimitView<EndpointName>;
  /** The header `x-access-level` of the last response that had this header, such as `read-write-directmessages`. */
  readonly accessLevel: string | undefined;
  /** Newest version of the advertising interface, with a warning if the used one will be removed, as last reported. */
  readonly adsNotice: AdsNotice | undefined;
  /**
   * Calls an endpoint that has no method in this client, with the same signing, retries and errors as all calls.
   *
   * @example
   * const { body } = await client.request({ method: "GET", endpoint: "/2/communities/:id", path: { id: "1" } });
   */
  request(other: OtherRequest, options?: CallOptions): Promise<ApiResponse>;
  /**
   * Returns a client with other credentials over the same connections and settings. Use one client for each OAuth 2.0
   * token: two clients would both spend its single-use refresh token.
   */
  as<const Other extends Credentials>(credentials: Other): Client<Other["type"]>;
  /** Waits for calls in progress, then closes the connections, including those of clients from `as`. */
  close(): Promise<void>;
}

/** Creates all resources, which send their requests through `caller`. */
export function resources(caller: Caller): Resources<CredentialKind> {
  return {
    posts: posts(caller),
    counts: counts(caller),
    filteredStream: filteredStream(caller),
    users: users(caller),
    timelines: timelines(caller),
    likes: likes(caller),
    reposts: reposts(caller),
    bookmarks: bookmarks(caller),
    lists: lists(caller),
    spaces: spaces(caller),
    follows: follows(caller),
    blocks: blocks(caller),
    mutes: mutes(caller),
    dms: directMessages(caller),
    webhooks: webhooks(caller),
    activity: accountActivity(caller),
    activitySubscriptions: activitySubscriptions(caller),
    replay: replay(caller),
    connections: connections(caller),
    usage: usage(caller),
    media: media(caller),
    account: account(caller),
    conversions: conversions(caller),
    appEventTags: appEventTags(caller),
    appLists: appLists(caller),
  };
}
