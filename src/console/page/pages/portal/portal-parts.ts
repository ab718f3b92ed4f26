import type { AccessLevel } from "../../../../protocol/access.ts";
import type { App } from "../../../../sandbox/control/objects.ts";
import type { LiveBatch } from "../../live/live.ts";

/** What each part of an app's page gets. */
export interface AppPartProps {
  readonly app: App;
  readonly mayChange: boolean;
  /** The app has changed: it is to be read again. */
  readonly onChanged: () => void;
}

export const LEVEL_WORDS: Readonly<Record<AccessLevel, string>> = {
  read: "Read",
  "read-write": "Read and write",
  "read-write-directmessages": "Read, write and direct messages",
};

/** What people and programs do to apps, webhooks and tokens is not told one by one: each request may have. */
export function concernsPortal({ sandbox }: LiveBatch): boolean {
  return sandbox.some(({ type }) => type !== "clock" && !type.startsWith("fault"));
}
