import type { BotClient } from "./bot-client.ts";

/** Value whose properties and calls return the value itself, and that never resolves under `await`. */
const NEVER: object = new Proxy(() => NEVER, { get: () => NEVER, apply: () => NEVER });

/**
 * Client for an abandoned handler, which runs again from its start: none of its calls ever settles. In a module of its
 * own, so that threads load the real client only on demand.
 */
// the cast is safe: any member can be read, called, awaited and iterated
export const NEVER_CLIENT = NEVER as BotClient;
