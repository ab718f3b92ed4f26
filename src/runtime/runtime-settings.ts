import path from "node:path";
import { snakeKeys } from "../config/camel-keys.ts";
import { ConfigError } from "../config/problem.ts";
import { readSettings } from "../config/read-settings.ts";
import { settingsFile } from "../config/settings-schema.ts";
import { toSettings, type Settings } from "../config/settings.ts";
import { isPostgresUrl } from "../system/postgres-url.ts";

/**
 * Settings of a runtime, as a program passes them. Those that are left out are as in an empty settings file, except:
 * there are no bot modules, and the store is in the data folder. `npm run generate` writes the members from the schema.
 */
export interface RuntimeSettings {
  // <settings>
  /** sandbox: the platform on this machine. live: the real one. Default: `"sandbox"`. */
  readonly target?: "sandbox" | "live";
  /**
   * How events come. webhook: the platform calls, by account activity. activity: by its successor, the activity
   * interface. both: by both, and each event counts once. polling: messages and mentions are read, for plans
   * without webhooks. Default: `"webhook"`.
   */
  readonly source?: "webhook" | "activity" | "both" | "polling";
  readonly platform?: {
    /** Where the platform's data interface answers. */
    readonly baseUrl?: string;
    /** Where its measurement interface answers. */
    readonly adsBaseUrl?: string;
    /** The words the platform uses. Default: `"post"`. */
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
  };
  readonly webhook?: {
    /** The public https address under which the platform reaches this machine. */
    readonly url?: string;
    /** Where the webhook receiver listens. Default: `"127.0.0.1:8080"`. */
    readonly listen?: string;
  };
  readonly metrics?: {
    /** Where Prometheus reads /metrics; nowhere unless set. Strangers must not reach it. */
    readonly listen?: string;
  };
  readonly console?: {
    /**
     * Where the console is served, on this machine; dev has one at port 8081 or another free one, run has none
     * unless this is set.
     */
    readonly listen?: string;
    /**
     * Who enters it in the console may change things there while the target is live; else it only shows.
     * Changing it signs all browsers out.
     */
    readonly adminToken?: string;
  };
  /** Handles of the bot accounts, without @. Default: `[]`. */
  readonly accounts?: readonly string[];
  /** TypeScript bot modules, as globs. */
  readonly bots?: readonly string[];
  readonly limits?: {
    /**
     * Answers to one person; what is more is held back until the operator lets it go. Default: `"30 in 10m"`.
     */
    readonly replies?: string;
    /**
     * Answers to another account of this bot: two that answer each other never end. Default: `"10 in 10m"`.
     */
    readonly loop?: string;
    /**
     * Answers to one person with the same text, where that person writes the same, too. Default: `"3 in 1m"`.
     */
    readonly equalReplies?: string;
    /** Posts of an account with the same text, whoever they answer. Default: `"2 in 1h"`. */
    readonly equalPosts?: string;
    /** The same by handle, for accounts that need others. Default: `{}`. */
    readonly accounts?: {
      readonly [name: string]: {
        /** Answers to one person. */
        readonly replies?: string;
        /** Answers to another account of this bot. */
        readonly loop?: string;
        /** Equal answers to one person. */
        readonly equalReplies?: string;
        /** Equal posts, whoever they answer. */
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
     * Mentions and links that other people's names and words bring into a public text. inert: they can be read,
     * and have no effect. hold: the post is held until the operator lets it go. allow: they are published.
     * Default: `"inert"`.
     */
    readonly thirdParties?: "inert" | "hold" | "allow";
  };
  readonly optOut?: {
    /**
     * Who says nothing but one of these hears nothing more: no rule and no bot is asked, and nothing is sent.
     */
    readonly words: readonly string[];
    /** What they are told once. Nothing unless given. */
    readonly text?: string;
    /** Who says one of these afterwards is answered again. Default: `["start"]`. */
    readonly back?: readonly string[];
    /** What they are told then. Nothing unless given. */
    readonly backText?: string;
  };
  readonly quietHours?: {
    /** Time zone by its IANA name: Europe/Berlin. */
    readonly zone: string;
    /** Days and times: "22:00-07:00", "sat,sun 00:00-24:00". */
    readonly times?: readonly string[];
    /** The same by handle, for accounts that have others. Default: `{}`. */
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
     * Hosts that the step http may ask; addresses of this machine and of private networks by address and port.
     * Default: `[]`.
     */
    readonly allow?: readonly string[];
  };
  /**
   * Variables of the environment that rules may read as secrets.NAME. Unless set, rules may read all but those
   * that these settings take.
   */
  readonly secrets?: readonly string[];
  /** What one bot may take. */
  readonly botLimits?: {
    /** Megabytes that the objects and buffers of one bot may take. Default: `256`. */
    readonly memoryMb?: number;
  };
  /**
   * Where the bot keeps what it knows. file: and a folder, for one process; postgres://user@host:5432/name, for
   * several that share it.
   */
  readonly store?: string;
  readonly postgres?: {
    /** How many connections a process opens to a PostgreSQL store at most. Default: `10`. */
    readonly pool?: number;
    /** How long a statement may take before the server breaks it off. Default: `"30s"`. */
    readonly statementTimeout?: string;
    /** How long a connection may take to be made. Default: `"5s"`. */
    readonly connectTimeout?: string;
  };
  /**
   * What this process does, where several share a store. receiver: it takes deliveries in. worker: it decides
   * and sends. all: both; a store in a folder has no other. Default: `"all"`.
   */
  readonly role?: "all" | "receiver" | "worker";
  /**
   * Begins the name by which status, metrics and the log know this process; its host's name and process id
   * unless set.
   */
  readonly processName?: string;
  // </settings>
}

/**
 * Checks settings and fills in what was left out, every path absolute.
 *
 * @param base Folder that relative paths start from.
 * @param folder Data folder, absolute.
 * @throws {ConfigError} with one problem per fault.
 */
export function settingsFrom(given: RuntimeSettings, base: string, folder: string): Settings {
  const { bots = [], store = `file:${folder}` } = given;
  const value = {
    ...snakeKeys(settingsFile, given),
    version: 1,
    rules: [],
    bots,
    store,
    data: isPostgresUrl(store) ? folder : undefined,
  };
  // JSON is YAML: one reader finds the faults of a file and of an object alike.
  const { value: checked, problems } = readSettings({
    file: "settings",
    text: JSON.stringify(value, null, 2),
    environment: {},
    overrides: [],
  });
  if (checked === undefined) throw new ConfigError(problems);
  return toSettings(checked, { absolute: (one) => path.resolve(base, one) });
}
