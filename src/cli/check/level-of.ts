import type { EventSource, Settings } from "../../config/settings.ts";
import { AnswerbackError } from "../../errors.ts";
import { ACCESS_LEVELS, type AccessLevel } from "../../protocol/access.ts";
import { callRuntime } from "../../runtime/control/call.ts";

/** Returns the app's permission level: the settings' one, else the lowest of a running bot's accounts, if known. */
export async function levelOf({ app, store }: Settings): Promise<AccessLevel | undefined> {
  if (app.permissionLevel !== undefined) return app.permissionLevel;
  try {
    const status = await callRuntime(store.folder, "status", {});
    const levels = status?.accounts.map(({ permissionLevel }) => permissionLevel) ?? [];
    return ACCESS_LEVELS.find((level) => levels.includes(level));
  } catch (error) {
    // A bot of another version, or one that is ending, leaves the level unknown.
    if (error instanceof AnswerbackError) return undefined;
    throw error;
  }
}

/** Permission level that a source of events needs. Source: "Authentication" of the interface, for account activity. */
export function levelOfSource(source: EventSource): AccessLevel {
  return source === "webhook" || source === "both" ? "read-write-directmessages" : "read";
}
