/**
 * The typed client for the platform's API, without the rest of the package.
 *
 * @module answerback/client
 */

// Calling the platform
export { createClient } from "./create-client.ts";
export type { ClientOptions } from "./create-client.ts";
export type { Client, EndpointName, OtherRequest } from "./client.ts";
export type {
  BearerCredentials,
  Credentials,
  OAuth1Credentials,
  OAuth2Credentials,
  OAuth2Tokens,
} from "./auth/credentials.ts";
export type { CredentialKind } from "./http/endpoint.ts";
export type { AdsNotice, ApiResponse, CallOptions } from "./http/api-caller.ts";
export type { PostListMethod, UserListMethod } from "./reading/lists.ts";
export type { Paged } from "./reading/paging.ts";
export type { PageMeta } from "./reading/read.ts";
export type { RateLimit, RateLimits, RateLimitView } from "./http/rate-limits.ts";
export type { RetryPolicy } from "./http/retry.ts";
export type { ClientClock } from "./clock.ts";

// Messages
export type { DirectMessagesMethods, SentMessage } from "./resources/direct-messages.ts";
export type { NewMessage } from "./resources/new-message.ts";
export type { DmEventPage } from "./reading/read.ts";
export type { DmEventSelection } from "./reading/selection.ts";

// Posts
export type { CreatedPost, PostsMethods } from "./resources/posts.ts";
export type { CountPage, CountsMethods, PostCount } from "./resources/counts.ts";
export type { FilteredStreamMethods } from "./streaming/filtered-stream.ts";
export type {
  AddedRules,
  DeletedRules,
  NewRule,
  RuleCounts,
  RuleProblem,
  StreamRule,
} from "./streaming/stream-rules.ts";
export type { MatchingRule, StreamedPost, StreamParams } from "./streaming/streamed-post.ts";
export type { StreamBreak, StreamGap } from "./streaming/gap.ts";
export type { TimelinesMethods } from "./resources/timelines.ts";
export type { LikesMethods } from "./resources/likes.ts";
export type { RepostsMethods } from "./resources/reposts.ts";
export type { BookmarkFolder, BookmarksMethods } from "./resources/bookmarks.ts";
export type { NewPost } from "./resources/new-post.ts";
export type { PostPage } from "./reading/read.ts";
export type { PostSelection } from "./reading/selection.ts";

// Public texts
export { weightedLength } from "../protocol/public-text/length.ts";
export { entitiesOf } from "../protocol/public-text/entities.ts";
export type { TextEntity } from "../protocol/public-text/entities.ts";
export { splitPost } from "./public-text/split-post.ts";
export { ownWords } from "./public-text/own-words.ts";
export { createThread, ThreadError } from "./public-text/create-thread.ts";
export type { PostingClient, PostThreadOptions } from "./public-text/create-thread.ts";

// Users
export type { UsersMethods } from "./resources/users.ts";
export type { FollowsMethods } from "./resources/follows.ts";
export type { BlocksMethods } from "./resources/blocks.ts";
export type { MutesMethods } from "./resources/mutes.ts";
export type { AccountMethods } from "./resources/account.ts";
export type { ListsMethods, PeopleListDetails } from "./resources/lists.ts";
export type { SpacesMethods } from "./resources/spaces.ts";
export type { UserPage } from "./reading/read.ts";
export type { PeopleListSelection, SpaceSelection, UserSelection } from "./reading/selection.ts";

// Usage and connections
export type {
  ConnectionPage,
  ConnectionParams,
  ConnectionsMethods,
  EndedConnections,
  StreamConnection,
} from "./resources/connections.ts";
export type { PostUsage, UsageMethods, UsageParams } from "./resources/usage.ts";

// Webhooks and subscriptions
export type { WebhookConfig, WebhooksMethods } from "./resources/webhooks.ts";
export type { AccountActivityMethods, SubscriptionList } from "./resources/account-activity.ts";
export type {
  ActivitySubscription,
  ActivitySubscriptionsMethods,
  NewActivitySubscription,
} from "./resources/activity-subscriptions.ts";
export type { ActivityStreamEvent, ActivityStreamParams } from "./streaming/follow-activity.ts";
export type { ActivityDirection, ActivityEventType } from "../protocol/activity-event-types.ts";
export type { ReplayJob, ReplayMethods } from "./resources/replay.ts";

// Media
export type { MediaResult, MediumResult } from "./reading/read.ts";
export type { MediaSelection } from "./reading/selection.ts";
export type { MediaMethods } from "./resources/media/media.ts";
export type { UploadedMedia } from "./objects/uploaded-media.ts";

// Ads
export type { ConversionsMethods } from "./resources/ads/conversions.ts";
export type { AppEventTagsMethods } from "./resources/ads/app-event-tags.ts";
export type { AppListsMethods } from "./resources/ads/app-lists.ts";

// Log-in
export { appOnlyToken, invalidateAppOnlyToken } from "./login/app-only.ts";
export { createOAuth1Login } from "./login/oauth1.ts";
export type * from "./login/oauth1.ts";
export { createOAuth2Login } from "./login/oauth2.ts";
export type * from "./login/oauth2.ts";

// Errors
export { AnswerbackError, UsageError } from "../errors.ts";
export {
  CredentialError,
  LoginError,
  PlatformError,
  ProtocolError,
  RateLimitError,
  UnreachableError,
} from "./errors.ts";
export type { ProblemDetails, Refusal } from "./errors.ts";
