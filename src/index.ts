/**
 * Answerback's public API, in the order in which most people need it.
 */

// Writing bots.
export { defineBot } from "./bots/define.ts";
export type { Bot, BotAccount, BotContext, Handler, Handlers } from "./bots/define.ts";

// What comes in and what goes out.
export { TRIGGERS } from "./events/event.ts";
export type * from "./events/event.ts";
export type * from "./actions/action.ts";

// Calling the platform.
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
} from "./client/credentials.ts";
export type { AdsNotice, Answer, CallOptions } from "./client/caller.ts";
export type { Paged } from "./client/paging.ts";
export type { RateLimit, RateLimits, RateLimitView } from "./client/rate-limits.ts";
export type { RetryPolicy } from "./client/retry.ts";
export type { ClientClock } from "./client/clock.ts";

// Logging people in.
export { appOnlyToken, invalidateAppOnlyToken } from "./client/login/app-only.ts";
export { createOAuth1Login } from "./client/login/oauth1.ts";
export type * from "./client/login/oauth1.ts";
export { createOAuth2Login } from "./client/login/oauth2.ts";
export type * from "./client/login/oauth2.ts";

// What the platform takes and gives.
export type { NewMessage } from "./client/new-message.ts";
export type { NewPost } from "./client/new-post.ts";
export type { DmEventPage, PageMeta, PostPage, UserPage } from "./client/reading.ts";
export type { DmEventSelection, PostSelection, UserSelection } from "./client/selection.ts";
export type { SubscriptionList } from "./client/resources/account-activity.ts";
export type { SentMessage } from "./client/resources/direct-messages.ts";
export type { UploadedMedia } from "./client/objects/uploaded-media.ts";
export type { CreatedPost } from "./client/resources/posts.ts";
export type { ReplayJob } from "./client/resources/replay.ts";
export type { WebhookConfig } from "./client/resources/webhooks.ts";

// When something goes wrong.
export { AnswerbackError, UsageError } from "./errors.ts";
export {
  CredentialError,
  LoginError,
  PlatformError,
  ProtocolError,
  RateLimitError,
  UnreachableError,
} from "./client/errors.ts";
export type { Problem, Refusal } from "./client/errors.ts";
