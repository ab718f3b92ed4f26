import type { ConsoleRole } from "../sign-in/sessions.ts";

/** What the page is told first: who is signed in, and what there is to show. */
export interface SessionAnswer {
  readonly role: ConsoleRole;
  /** Sent with every command. */
  readonly commandToken: string;
  /** Whether an admin token would let this browser do more. */
  readonly canUnlock: boolean;
  readonly version: string;
  readonly target: "sandbox" | "live";
  /** Whether a bot runs here; a sandbox alone has none. */
  readonly hasRuntime: boolean;
  /** Absent on the live platform. */
  readonly sandbox?: {
    readonly baseUrl: string;
    readonly adsUrl: string;
    /** The bot's app, and the account that answers. */
    readonly appId?: string;
    readonly bot?: { readonly id: string; readonly username: string };
  };
}
