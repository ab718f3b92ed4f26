/**
 * Bots of the Chat SDK (npm `chat`) on Answerback's runtime: its journal supplies the events, and its outbox sends the
 * posts.
 *
 * @module answerback/chat-sdk
 */

// Bots of the Chat SDK
export { chatSdkBot, type ChatOfSdk, type ChatSdkBotOptions } from "./chat-sdk-bot.ts";
export {
  type AnswerbackAdapter,
  type AnswerbackAdapterOptions,
  createAnswerbackAdapter,
} from "./adapter.ts";
export { createAnswerbackState } from "./state.ts";
export { handlerContext } from "./turn.ts";
export type { SaidRaw } from "./message.ts";
export type { ThreadPlace } from "./thread-place.ts";
