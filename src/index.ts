/**
 * Answerback's public API, in the order in which most people need it.
 *
 * @module answerback
 */

// Bots in TypeScript
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
export type { BotPost, BotText, TextWithMedia, TextWithPostOptions } from "./bots/said.ts";
export type { StateKey } from "./bots/durable/state-key.ts";
export type { Json } from "./protocol/json.ts";

// Runtime
export { openRuntime } from "./host/open-runtime.ts";
export { webhookRouter } from "./host/webhook-router.ts";
export type {
  RuntimeEvent,
  RuntimeEventFeed,
  RuntimeEventOf,
  RuntimeEventType,
  RuntimeEventTypes,
  RuntimeStatus,
  WebhookRouter,
} from "./runtime/vocabulary.ts";
export type { Log, LogMethod } from "./runtime/log.ts";
export type { RuntimeOptions } from "./host/open-runtime.ts";
export type { Runtime } from "./host/open.ts";
export type { RuntimeSettings } from "./host/runtime-settings.ts";

// Testing rules
export { compileRules } from "./rules/compile.ts";
export type { CompiledRules, RuleText } from "./rules/compile.ts";
export { decide, explain } from "./rules/decide.ts";
export type { DecideContext } from "./rules/decide.ts";
export type { Decision, JudgedRule, StateChange, Verdict, VerdictReason } from "./rules/decide.ts";
export type { CompiledRule, Ruleset, Survivors } from "./rules/ruleset.ts";

// Events and actions
export { TRIGGERS } from "./events/triggers.ts";
export type { InboundTrigger, Trigger } from "./events/triggers.ts";
export type * from "./events/event.ts";
export type { Action, ActionOf, ActionType } from "./actions/actions.ts";
export type { FollowUser } from "./actions/relations.ts";
export type { ReportConversion } from "./actions/report-conversion.ts";
export type { LikePost } from "./actions/post-verbs.ts";
export type { ReplyDm } from "./actions/reply-dm.ts";
export type { ReplyPost } from "./actions/reply-post.ts";

// Errors
export { ConfigError } from "./config/problem.ts";
export type { Problem as ConfigProblem } from "./config/problem.ts";
export { StoreError } from "./runtime/records.ts";
export type { StoreErrorCode } from "./runtime/vocabulary.ts";
export { SealError } from "./runtime/accounts.ts";
export {
  createThread,
  CredentialError,
  LoginError,
  PlatformError,
  ProtocolError,
  RateLimitError,
  ThreadError,
  UnreachableError,
  UsageError,
} from "./bots/authoring.ts";

// The client
export * from "./client/index.ts";
