import path from "node:path";
import { snakeKeys } from "../config/camel-keys.ts";
import { ConfigError, type Problem } from "../config/problem.ts";
import { readSettings } from "../config/read-settings.ts";
import { settingsFile } from "../config/schema/settings-schema.ts";
import { toSettings, type Settings } from "../config/settings.ts";
import { isPostgresUrl } from "../system/postgres-url.ts";

/**
 * Settings of a runtime, as a program passes them. Absent settings have the defaults of a settings file, with two
 * exceptions: there are no bot modules, and the store is in the data folder. `npm run generate` writes the members from
 * the schema.
 */
export interface RuntimeSettings {
  // <settings>
  /** sandbox: the platform on this machine. live: the real one. Default: `"sandbox"`. */
  readonly target?: "sandbox" | "live";
  /**
   * Source of events. webhook: webhooks of account activity. activity: webhooks of its successor, the activity
   * interface. both: both of them; each event counts once. polling: the bot reads messages and mentions, for
   * plans without webhooks. Default: `"webhook"`.
   */
  readonly source?: "webhook" | "activity" | "both" | "polling";
  /**
   * Source of the posts for post.found. stream: the filtered stream, and recent search for posts that the
   * stream misses. recent: recent search alone. auto: like stream if the app has the stream and no other
   * program uses it, else like recent. Default: `"auto"`.
   */
  readonly search?: "auto" | "stream" | "recent";
  readonly platform?: {
    /** Address of the platform's data interface. */
    readonly baseUrl?: string;
    /** Address of the platform's measurement interface. */
    readonly adsBaseUrl?: string;
    /** Terms of the platform's interface: post or tweet. Default: `"post"`. */
    readonly dialect?: "post" | "tweet";
    /** The accounts may publish longform posts: a text over 280 is one post. Default: `false`. */
    readonly longform?: boolean;
  };
  readonly app?: {
    /** API key of the developer app. */
    readonly consumerKey?: string;
    /** API secret: signs requests and webhook answers. */
    readonly consumerSecret?: string;
    /** API secret before the last rotation, for as long as deliveries may still be signed with it. */
    readonly previousConsumerSecret?: string;
    /** App-only token: webhooks, subscriptions, search. */
    readonly bearerToken?: string;
    /**
     * Permission level of the app, as in the developer portal: read only; read and write; or read, write and
     * direct messages. With it, `check` reports triggers and steps that the level does not allow.
     */
    readonly permissionLevel?: "read" | "read-write" | "read-write-directmessages";
  };
  readonly webhook?: {
    /** The public https address under which the platform reaches this machine. */
    readonly url?: string;
    /** Address at which the webhook receiver listens. Default: `"127.0.0.1:8080"`. */
    readonly listen?: string;
  };
  readonly metrics?: {
    /**
     * Address at which Prometheus reads /metrics. Not served unless set. Keep it unreachable for strangers.
     */
    readonly listen?: string;
  };
  readonly console?: {
    /**
     * Address of the console, on this machine. `dev` uses port 8081 or another free port; `run` serves no
     * console unless this is set.
     */
    readonly listen?: string;
    /**
     * Token that allows changes in the console while the target is live; without the token the console is
     * read-only. A new token signs all browsers out.
     */
    readonly adminToken?: string;
  };
  /** Handles of the bot accounts, without @. Default: `[]`. */
  readonly accounts?: readonly string[];
  /** TypeScript bot modules, as globs. */
  readonly bots?: readonly string[];
  readonly limits?: {
    /**
     * Answers to one person. Further answers are held until the operator releases them. Default: `"30 in 10m"`.
     */
    readonly replies?: string;
    /**
     * Answers to another account of this bot, so that two bots don't talk endlessly. Default: `"10 in 10m"`.
     */
    readonly loop?: string;
    /** Answers with the same text to one person who repeats their text, too. Default: `"3 in 1m"`. */
    readonly equalReplies?: string;
    /** Posts of an account with the same text, to any person. Default: `"2 in 1h"`. */
    readonly equalPosts?: string;
    /** Limits of single accounts, by handle. Default: `{}`. */
    readonly accounts?: {
      readonly [name: string]: {
        /** Answers to one person. */
        readonly replies?: string;
        /** Answers to another account of this bot. */
        readonly loop?: string;
        /** Equal answers to one person. */
        readonly equalReplies?: string;
        /** Equal posts, to any person. */
        readonly equalPosts?: string;
      };
    };
  };
  readonly posts?: {
    /**
     * A public text over 280 weighted characters. thread: posts that answer each other. cut: one post with its
     * beginning. fail: it is not published. Default: `"thread"`.
     */
    readonly long?: "thread" | "cut" | "fail";
    /**
     * Mentions and links in other people's names and words that a public text contains. inert: they are
     * readable, but have no effect. hold: the post is held until the operator releases it. allow: they are
     * published. Default: `"inert"`.
     */
    readonly thirdParties?: "inert" | "hold" | "allow";
  };
  readonly optOut?: {
    /**
     * Words that opt a person out if a message has no other text: no rule or bot runs for that person, and
     * nothing is sent.
     */
    readonly words: readonly string[];
    /** Confirmation that is sent once, after the person opted out. None unless set. */
    readonly text?: string;
    /** Words with which a person opts in again. Default: `["start"]`. */
    readonly back?: readonly string[];
    /** Confirmation that is sent after the person opted in again. None unless set. */
    readonly backText?: string;
  };
  readonly quietHours?: {
    /** Time zone by its IANA name: Europe/Berlin. */
    readonly zone: string;
    /** Days and times: "22:00-07:00", "sat,sun 00:00-24:00". */
    readonly times?: readonly string[];
    /** Quiet hours of single accounts, by handle. Default: `{}`. */
    readonly accounts?: {
      readonly [name: string]: {
        readonly zone?: string;
        /** Days and times: "22:00-07:00", "sat,sun 00:00-24:00". */
        readonly times: readonly string[];
      };
    };
  };
  readonly http?: {
    /**
     * Hosts that the step http may request. If a name resolves to an address of this machine or of a private
     * network, also list that address with its port, or the private network: 10.96.0.0/12:8080. Default: `[]`.
     */
    readonly allow?: readonly string[];
  };
  /**
   * Environment variables that rules may read as secrets.NAME. Unless set, rules may read all variables except
   * those that the settings use.
   */
  readonly secrets?: readonly string[];
  /** Limits of one bot. */
  readonly botLimits?: {
    /** Megabytes that the objects and buffers of one bot may take. Default: `256`. */
    readonly memoryMb?: number;
  };
  /**
   * Store of the bot. file: and a folder, for one process; postgres://user@host:5432/name, for several
   * processes that share a store.
   */
  readonly store?: string;
  readonly postgres?: {
    /** Maximum number of connections of a process to a PostgreSQL store. Default: `10`. */
    readonly pool?: number;
    /** Time after which the server aborts a statement. Default: `"30s"`. */
    readonly statementTimeout?: string;
    /** Time limit for opening a connection. Default: `"5s"`. */
    readonly connectTimeout?: string;
  };
  /**
   * Work of this process if several share a store. receiver: accepts deliveries. worker: decides and sends.
   * all: both, and the only role for a store in a folder. Default: `"all"`.
   */
  readonly role?: "all" | "receiver" | "worker";
  /**
   * Prefix of this process's name in status, metrics and the log. By default, its host name and process id.
   */
  readonly processName?: string;
  // </settings>
}

/**
 * Validates settings and fills in defaults; all paths are absolute.
 *
 * @param base Folder that relative paths start from.
 * @param folder Data folder, absolute.
 * @throws {ConfigError} with one problem per fault.
 */
export function settingsFrom(settings: RuntimeSettings, base: string, folder: string): Settings {
  const { bots = [], store = `file:${folder}` } = settings;
  const values = new Map<string, unknown>(Object.entries(settings));
  const misplaced = OPTIONS.filter((name) => values.get(name) !== undefined);
  if (misplaced.length > 0) throw new ConfigError(misplaced.map(beside));
  const value = {
    ...snakeKeys(settingsFile, settings),
    version: values.get("version") ?? 1,
    rules: [],
    bots,
    store,
    data: isPostgresUrl(store) ? folder : undefined,
  };
  // JSON is YAML, so the same reader finds the faults of files and objects.
  const { value: checked, problems } = readSettings({
    file: "settings",
    text: JSON.stringify(value, null, 2),
    environment: {},
    overrides: [],
  });
  if (checked === undefined) throw new ConfigError(problems);
  return toSettings(checked, { absolute: (one) => path.resolve(base, one) });
}

/** Keys of a settings file that a program passes as options. */
const OPTIONS = ["rules", "data", "log"];

/** Returns the problem that an option is among the settings. */
function beside(name: string): Problem {
  const message = `${name} is an option of openRuntime, beside settings`;
  const help = `write  { settings: { … }, ${name}: … }`;
  const place = { file: "settings", line: 1, column: 1, length: 1 };
  return { ...place, severity: "error", code: "unknown-key", message, help };
}
