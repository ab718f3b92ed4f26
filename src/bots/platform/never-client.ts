import type { BotClient } from "./bot-client.ts";

/** Whatever is done with it comes to nothing, for good: it is awaited in a handler that is run again. */
const NEVER: object = new Proxy(() => NEVER, { get: () => NEVER, apply: () => NEVER });

/** The client of a handler that goes no further. */
// every member of it can be read, called, awaited and gone through
export const NEVER_CLIENT = NEVER as BotClient;
