import type { BotClient } from "./bot-client.ts";

/** Any use of it, including `await`, never resolves: the handler is abandoned and runs again. */
const NEVER: object = new Proxy(() => NEVER, { get: () => NEVER, apply: () => NEVER });

/** Client of an abandoned handler. */
// members can be read, called, awaited and iterated
export const NEVER_CLIENT = NEVER as BotClient;
