import { setTimeout as passing } from "node:timers/promises";
import type { DirectMessageHandler } from "chat";

/** Simulated duration of a model call or another request, in milliseconds. Most real ones take longer. */
const WORK_MS = 50;

/** Message handler, written for the Chat SDK. The bot on this project's runtime and the bot on the SDK alone use it. */
export const answerEach: DirectMessageHandler = async (thread, message) => {
  await passing(WORK_MS);
  await thread.post(`answer to ${message.text}`);
};
