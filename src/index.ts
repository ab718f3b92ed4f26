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

// Errors.
export { AnswerbackError, UsageError } from "./errors.ts";
