import * as z from "zod";
import type { ConsoleNeeds } from "../console-needs.ts";
import type { ConsoleRole, ListedSession, SessionRegister } from "../sign-in/sessions.ts";
import { operation, OperationError } from "./operation.ts";

/** First response to the page: its session, and what the console shows. */
export interface SessionAnswer {
  readonly id: string;
  readonly role: ConsoleRole;
  /** Whether this browser has the role reader, and an admin token would make it an operator. */
  readonly canUnlock: boolean;
  readonly version: string;
  readonly target: "sandbox" | "live";
  /** Whether the console shows a bot's runtime. There is none if only a sandbox runs. */
  readonly hasRuntime: boolean;
  /** Facts about the sandbox; absent on the live platform. */
  readonly sandbox?: {
    readonly baseUrl: string;
    readonly adsUrl: string;
    /** Id of the bot's app. `bot` is the bot's account. */
    readonly appId?: string;
    readonly bot?: { readonly id: string; readonly username: string };
  };
}

/** Lists the signed-in browsers, newest first. */
export const consoleSessions = operation(z.strictObject({}), (needs): readonly ListedSession[] =>
  registerOf(needs).list(),
);

/** Signs out one browser, or all of them. */
export const endSessions = operation(
  z.strictObject({ id: z.string().exactOptional(), all: z.literal(true).exactOptional() }),
  async (needs, { id, all }): Promise<{ readonly ended: number }> => {
    if ((id === undefined) === (all === undefined)) {
      throw new OperationError("name one session by its id, or all of them");
    }
    return { ended: await registerOf(needs).end(id) };
  },
);

function registerOf({ sessions }: ConsoleNeeds): SessionRegister {
  if (sessions !== undefined) return sessions;
  throw new OperationError("this console keeps no sessions", 404);
}
