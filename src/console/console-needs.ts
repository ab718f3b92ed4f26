import type { SecretMask } from "../system/secrets/secret-mask.ts";
import type { ShownParts } from "./pages.ts";
import type { ConsoleRole, SessionRegister } from "./sign-in/sessions.ts";
import type { SourceFile } from "../rules/compile.ts";
import type { Log } from "../runtime/log.ts";
import type {
  ControlHandlers,
  RecentLog,
  RulesInForce,
  RuntimeEventFeed,
} from "../runtime/vocabulary.ts";

/** The runtime that a console shows. */
export interface ShownRuntime {
  readonly handlers: ControlHandlers;
  readonly events: RuntimeEventFeed;
  readonly rules: RulesInForce;
  /** Reads the texts of the rule files from disk. */
  readonly readRules: () => Promise<readonly SourceFile[]>;
  /** Latest lines of the runtime's log, for the page Log. */
  readonly recent: RecentLog;
  /** Returns the current time by the platform's clock, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Absolute folder from which the paths of rule files start. */
  readonly base: string;
  /** Absolute path of the data folder. */
  readonly folder: string;
  readonly target: "sandbox" | "live";
}

/** The sandbox that a console shows. */
export interface ShownSandbox {
  readonly baseUrl: string;
  readonly adsUrl: string;
  readonly control: { readonly url: string; readonly token: string };
  /** The bot's app, if the console knows it. */
  readonly app?: {
    readonly id: string;
    readonly consumerKey: string;
    readonly consumerSecret: string;
    readonly bearerToken: string;
  };
  /** Id and handle of the bot account. */
  readonly bot?: { readonly id: string; readonly username: string };
}

/** Runtime, sandbox, or both, to be shown by a console. */
export interface ConsoleNeeds {
  readonly runtime?: ShownRuntime;
  readonly sandbox?: ShownSandbox;
  readonly log: Log;
  /**
   * Folder for sessions, snapshots and sign-in files. Without it, sessions end with the process and there are no
   * snapshots.
   */
  readonly folder?: string;
  readonly sessions?: SessionRegister;
}

/** Returns whether the console shows a runtime, a sandbox, and a bot account. */
export function partsOf({
  runtime,
  sandbox,
}: Pick<ConsoleNeeds, "runtime" | "sandbox">): ShownParts {
  return {
    runtime: runtime !== undefined,
    sandbox: sandbox !== undefined,
    bot: sandbox?.bot !== undefined,
  };
}

/** Options for serving a console. */
export interface ConsoleOptions extends ConsoleNeeds {
  readonly at: { readonly host: string; readonly port: number };
  /** Role of browsers that sign in by an invitation. */
  readonly linkRole: ConsoleRole;
  /** Token with which a reader becomes an operator. A change of this token ends all sessions. */
  readonly adminToken?: string | undefined;
  /** Removes secrets from responses. */
  readonly mask?: Pick<SecretMask, "text" | "hide">;
}
