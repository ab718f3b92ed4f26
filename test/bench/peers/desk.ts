import { setTimeout as passing } from "node:timers/promises";
import type { DirectMessageHandler } from "chat";

/** So long the answer of a model takes, or a request; most take longer. */
const WORK_MS = 50;

/** What both sides do with a message: the same handler, of the Chat SDK. */
export const answerEach: DirectMessageHandler = async (thread, message) => {
  await passing(WORK_MS);
  await thread.post(`answer to ${message.text}`);
};
