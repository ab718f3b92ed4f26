/**
 * Answerback's public API, in the order in which most people need it.
 *
 * @module answerback
 */

// Bots
export {
  createBot,
  createComposer,
  defineBot,
  defineState,
  StepCutOffError,
} from "./bots/authoring.ts";
export type {
  Bot,
  BotAccount,
  BotContext,
  SendNowOptions,
  Handler,
  Handlers,
  SpokenTrigger,
} from "./bots/define.ts";
export type { BotBuilder, BotOptions } from "./bots/composing/create-bot.ts";
export type { Composer, BotPart, Parts } from "./bots/composing/composer.ts";
export type {
  Commanded,
  ContextOf,
  ErrorHandler,
  Heard,
  Middleware,
  NextHandler,
} from "./bots/composing/middleware.ts";
export type {
  AnswerEvent,
  AnswerTo,
  BotState,
  DurableCalls,
  PersonState,
  SetOptions,
  StepOptions,
  WaitCondition,
  WaitOptions,
} from "./bots/durable/durable-calls.ts";
export type { HandOverOptions } from "./bots/durable/hand-over.ts";
export type { SendOutcome } from "./bots/durable/send-outcome.ts";
export type { BotClient } from "./bots/platform/bot-client.ts";
export type { BotText, TextWithMedia } from "./bots/said.ts";
export type { StateKey } from "./bots/durable/state-key.ts";
export type { Json } from "./protocol/json.ts";

// Runtime
export { openRuntime } from "./host/open-runtime.ts";
export type { RuntimeOptions } from "./host/open-runtime.ts";
export type { Runtime } from "./runtime/open-from-settings.ts";
export type { RuntimeSettings } from "./runtime/runtime-settings.ts";
export type { RuntimeStatus } from "./runtime/control/status-schema.ts";
export type {
  RuntimeEvent,
  RuntimeEventFeed,
  RuntimeEventOf,
  RuntimeEventType,
  RuntimeEventTypes,
} from "./runtime/runtime-events.ts";
export type { Log, LogMethod } from "./runtime/log.ts";

// Testing rules
export { compileRules } from "./rules/compile/compile-rules.ts";
export type { CompiledRules, RuleText } from "./rules/compile/compile-rules.ts";
export { decide, explain } from "./rules/decide/decide.ts";
export type { DecideContext } from "./rules/decide/decide.ts";
export type {
  Decision,
  JudgedRule,
  StateChange,
  Verdict,
  VerdictReason,
} from "./rules/decide/decision.ts";
export type { CompiledRule, Ruleset, Survivors } from "./rules/ruleset.ts";

// Events and actions
export { TRIGGERS } from "./events/triggers.ts";
export type { InboundTrigger, Trigger } from "./events/triggers.ts";
export type * from "./events/event.ts";
export type { Action, ActionOf, ActionType } from "./actions/actions.ts";
export type { FollowUser } from "./actions/follow.ts";
export type { ReportConversion } from "./actions/report-conversion.ts";
export type { LikePost } from "./actions/like.ts";
export type { ReplyDm } from "./actions/reply-dm.ts";
export type { ReplyPost } from "./actions/reply-post.ts";

// Calling the platform
export { createClient } from "./client/create-client.ts";
export type { ClientOptions } from "./client/create-client.ts";
export type { Client, EndpointName, OtherRequest } from "./client/client.ts";
export type {
  BearerCredentials,
  CredentialKind,
  Credentials,
  OAuth1Credentials,
  OAuth2Credentials,
  OAuth2Tokens,
} from "./client/auth/credentials.ts";
export type { AdsNotice, ApiResponse, CallOptions } from "./client/http/api-caller.ts";
export type { PostListMethod, UserListMethod } from "./client/reading/lists.ts";
export type { Paged } from "./client/reading/paging.ts";
export type { PageMeta } from "./client/reading/read.ts";
export type { RateLimit, RateLimits, RateLimitView } from "./client/http/rate-limits.ts";
export type { RetryPolicy } from "./client/http/retry.ts";
export type { ClientClock } from "./client/clock.ts";

// Messages
export type { DirectMessagesMethods, SentMessage } from "./client/resources/direct-messages.ts";
export type { NewMessage } from "./client/resources/new-message.ts";
export type { DmEventPage } from "./client/reading/read.ts";
export type { DmEventSelection } from "./client/reading/selection.ts";

// Posts
export type { CreatedPost, PostsMethods } from "./client/resources/posts.ts";
export type { CountPage, CountsMethods, PostCount } from "./client/resources/counts.ts";
export type { FilteredStreamMethods } from "./client/streaming/filtered-stream.ts";
export type {
  AddedRules,
  DeletedRules,
  NewRule,
  RuleCounts,
  RuleProblem,
  StreamRule,
} from "./client/streaming/stream-rules.ts";
export type { MatchingRule, StreamedPost, StreamParams } from "./client/streaming/streamed-post.ts";
export type { StreamBreak, StreamGap } from "./client/streaming/gap.ts";
export type { TimelinesMethods } from "./client/resources/timelines.ts";
export type { LikesMethods } from "./client/resources/likes.ts";
export type { RepostsMethods } from "./client/resources/reposts.ts";
export type { BookmarkFolder, BookmarksMethods } from "./client/resources/bookmarks.ts";
export type { NewPost } from "./client/resources/new-post.ts";
export type { PostPage } from "./client/reading/read.ts";
export type { PostSelection } from "./client/reading/selection.ts";

// Public texts
export { weightedLength } from "./protocol/public-text/length.ts";
export { entitiesOf } from "./protocol/public-text/entities.ts";
export type { TextEntity } from "./protocol/public-text/entities.ts";
export { splitPost } from "./client/public-text/split-post.ts";
export { ownWords } from "./client/public-text/own-words.ts";
export { createThread, ThreadError } from "./client/public-text/create-thread.ts";
export type { PostingClient, PostThreadOptions } from "./client/public-text/create-thread.ts";

// Users
export type { UsersMethods } from "./client/resources/users.ts";
export type { FollowsMethods } from "./client/resources/follows.ts";
export type { BlocksMethods } from "./client/resources/blocks.ts";
export type { MutesMethods } from "./client/resources/mutes.ts";
export type { AccountMethods } from "./client/resources/account.ts";
export type { ListsMethods, PeopleListDetails } from "./client/resources/lists.ts";
export type { SpacesMethods } from "./client/resources/spaces.ts";
export type { UserPage } from "./client/reading/read.ts";
export type {
  PeopleListSelection,
  SpaceSelection,
  UserSelection,
} from "./client/reading/selection.ts";

// Webhooks and subscriptions
export type { WebhookConfig, WebhooksMethods } from "./client/resources/webhooks.ts";
export type {
  AccountActivityMethods,
  SubscriptionList,
} from "./client/resources/account-activity.ts";
export type {
  ActivitySubscription,
  ActivitySubscriptionsMethods,
  NewActivitySubscription,
} from "./client/resources/activity-subscriptions.ts";
export type {
  ActivityStreamEvent,
  ActivityStreamParams,
} from "./client/streaming/follow-activity.ts";
export type { ActivityDirection, ActivityEventType } from "./protocol/activity-event-types.ts";
export type { ReplayJob, ReplayMethods } from "./client/resources/replay.ts";

// Media
export type { MediaMethods } from "./client/resources/media/media.ts";
export type { UploadedMedia } from "./client/objects/uploaded-media.ts";

// Ads
export type { ConversionsMethods } from "./client/resources/ads/conversions.ts";
export type { AppEventTagsMethods } from "./client/resources/ads/app-event-tags.ts";
export type { AppListsMethods } from "./client/resources/ads/app-lists.ts";

// Log-in
export { appOnlyToken, invalidateAppOnlyToken } from "./client/login/app-only.ts";
export { createOAuth1Login } from "./client/login/oauth1.ts";
export type * from "./client/login/oauth1.ts";
export { createOAuth2Login } from "./client/login/oauth2.ts";
export type * from "./client/login/oauth2.ts";

// Errors
export { AnswerbackError } from "./errors.ts";
export { ConfigError } from "./config/problem.ts";
export type { Problem as ConfigProblem } from "./config/problem.ts";
export { StoreError } from "./runtime/store/errors.ts";
export type { StoreErrorCode } from "./runtime/store/errors.ts";
export { SealError } from "./runtime/accounts/seal.ts";
export { LoginError } from "./client/errors.ts";
export {
  CredentialError,
  PlatformError,
  ProtocolError,
  RateLimitError,
  UnreachableError,
  UsageError,
} from "./bots/authoring.ts";
export type { ProblemDetails, Refusal } from "./client/errors.ts";
