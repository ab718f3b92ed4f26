import type { EventSource, Settings } from "../../config/settings.ts";
import { AnswerbackError } from "../../errors.ts";
import { ACCESS_LEVELS, type AccessLevel } from "../../protocol/access.ts";
import { callRuntime } from "../../runtime/calls.ts";

/**
 * Returns the app's permission level from the settings, or else the lowest level among a running bot's accounts;
 * undefined if neither is known.
 */
export async function levelOf({ app, store }: Settings): Promise<AccessLevel | undefined> {
  if (app.permissionLevel !== undefined) return app.permissionLevel;
  try {
    const status = await callRuntime(store.folder, "status", {});
    const levels = status?.accounts.map(({ permissionLevel }) => permissionLevel) ?? [];
    return ACCESS_LEVELS.find((level) => levels.includes(level));
  } catch (error) {
    // The running bot may be shutting down, or be of another version and refuse the request.
    if (error instanceof AnswerbackError) return undefined;
    throw error;
  }
}

/**
 * Lowest permission level that an event source needs. See "Authentication" in the platform's description of account
 * activity.
 */
export function levelOfSource(source: EventSource): AccessLevel {
  return source === "webhook" || source === "both" ? "read-write-directmessages" : "read";
}
