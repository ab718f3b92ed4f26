import type { ConsoleOptions } from "./console-needs.ts";
import type { LiveStream } from "./live/live-stream.ts";
import type { Invitations } from "./sign-in/invitations.ts";
import type { Sessions } from "./sign-in/sessions.ts";

export interface ConsoleAppNeeds extends ConsoleOptions {
  readonly sessions: Sessions;
  readonly invitations: Invitations;
  readonly live: LiveStream;
}
