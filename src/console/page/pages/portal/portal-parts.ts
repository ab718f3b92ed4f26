import type { AccessLevel } from "../../../../protocol/access.ts";
import type { App } from "../../../../sandbox/control/objects.ts";
import type { LiveBatch } from "../../live/live.ts";

/** Properties of each section of an app's page. */
export interface AppPartProps {
  readonly app: App;
  readonly mayChange: boolean;
  /** Called after a change of the app, so that the page reads the app again. */
  readonly onChanged: () => void;
}

export const LEVEL_WORDS: Readonly<Record<AccessLevel, string>> = {
  read: "Read",
  "read-write": "Read and write",
  "read-write-directmessages": "Read, write and direct messages",
};

/** Returns whether events may have changed apps, webhooks or tokens. Any request to the sandbox may have done so. */
export function concernsPortal({ sandbox }: LiveBatch): boolean {
  return sandbox.some(({ type }) => type !== "clock" && !type.startsWith("fault"));
}
