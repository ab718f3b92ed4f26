import type { BotClient } from "./bot-client.ts";

/** Value that stays pending however it is used, also with `await`: the handler is abandoned and runs again. */
const NEVER: object = new Proxy(() => NEVER, { get: () => NEVER, apply: () => NEVER });

/** Client that an abandoned handler gets: none of its calls ever settles. */
// members can be read, called, awaited and iterated
export const NEVER_CLIENT = NEVER as BotClient;
