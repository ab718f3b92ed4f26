import path from "node:path";
import { ConfigError } from "../config/problem.ts";
import { readSettings } from "../config/read-settings.ts";
import {
  type EventSource,
  type RoleSetting,
  toSettings,
  type Settings,
} from "../config/settings.ts";
import { isPostgresUrl } from "../system/postgres-url.ts";

/** Settings of a runtime, as a program gives them. What is left out is as in a settings file. */
export interface RuntimeSettings {
  /** `sandbox`, the default: the platform on this machine. `live`: the real one. */
  readonly target?: "sandbox" | "live";
  /**
   * `webhook`, the default: the platform calls, by account activity. `activity`: by its successor, the activity
   * interface. `both`: by both, and each event counts once. `polling`: messages and mentions are read, for plans
   * without webhooks.
   */
  readonly source?: EventSource;
  readonly platform?: {
    /** Where the platform's data interface answers. */
    readonly baseUrl?: string;
    /** Where its measurement interface answers. */
    readonly adsBaseUrl?: string;
    readonly dialect?: "post" | "tweet";
  };
  /** The developer app. */
  readonly app?: {
    readonly consumerKey?: string;
    readonly consumerSecret?: string;
    /** The secret before the last rotation: deliveries that it signs are taken, too. */
    readonly previousConsumerSecret?: string;
    readonly bearerToken?: string;
  };
  readonly webhook?: {
    /** The public https address under which the platform reaches this machine. */
    readonly url?: string;
    /** `host:port`; `127.0.0.1:8080` unless said. Port 0 takes a free one. */
    readonly listen?: string;
  };
  readonly metrics?: {
    /** `host:port` at which Prometheus reads `/metrics`; nowhere unless said. Port 0 takes a free one. */
    readonly listen?: string;
  };
  /** Handles of the accounts to answer for, without `@`; every linked account unless said. */
  readonly accounts?: readonly string[];
  /** TypeScript bot modules, as globs; none unless said. */
  readonly bots?: readonly string[];
  /**
   * What holds answers back: how many in which time, as `30 in 10m`, or `none`. As in a settings file
   * unless said.
   */
  readonly limits?: {
    /** Answers to one person; `30 in 10m` unless said. */
    readonly replies?: string;
    /** Answers to another account of this bot; `10 in 10m` unless said. */
    readonly loop?: string;
    /** Equal answers to one person; `3 in 1m` unless said. */
    readonly equalReplies?: string;
    /** Equal posts, whoever they answer; `2 in 1h` unless said. */
    readonly equalPosts?: string;
  };
  /** Who says nothing but one of `words` hears nothing more of any rule or bot; nobody unless said. */
  readonly optOut?: {
    readonly words: readonly string[];
    /** What they are told once. */
    readonly text?: string;
    /** Who says one of these is answered again; `start` unless said. */
    readonly back?: readonly string[];
    /** What they are told then. */
    readonly backText?: string;
  };
  /** When nothing is sent that nobody waits for; never unless said. */
  readonly quietHours?: {
    /** IANA name of the time zone: `Europe/Berlin`. */
    readonly zone: string;
    /** `22:00-07:00`, `sat,sun 00:00-24:00`. */
    readonly times: readonly string[];
  };
  /** What one bot may take: megabytes of objects and buffers, 256 unless said. */
  readonly botLimits?: { readonly memoryMb?: number };
  /** `file:FOLDER`, or `postgres://user@host:5432/name`; the data folder unless said. */
  readonly store?: string;
  /** How the process is connected to a PostgreSQL store. */
  readonly postgres?: {
    /** At most so many connections; 10 unless said. */
    readonly pool?: number;
    /** `30s` unless said. */
    readonly statementTimeout?: string;
    /** `5s` unless said. */
    readonly connectTimeout?: string;
  };
  /** What this process does, where several share a store: `all` unless said. */
  readonly role?: RoleSetting;
  /** Begins the name of this process; its host's name and process id do unless said. */
  readonly processName?: string;
}

/**
 * Checks settings and fills in what was left out, every path absolute.
 *
 * @param base Folder that relative paths start from.
 * @param folder Data folder, absolute.
 * @throws {ConfigError} with one problem per fault.
 */
export function settingsFrom(given: RuntimeSettings, base: string, folder: string): Settings {
  const {
    target,
    source,
    platform,
    app,
    webhook,
    metrics,
    limits,
    accounts = [],
    bots = [],
    optOut,
    quietHours,
    botLimits,
    store = `file:${folder}`,
    postgres,
    role,
    processName,
  } = given;
  const value = {
    version: 1,
    target,
    source,
    platform: {
      base_url: platform?.baseUrl,
      ads_base_url: platform?.adsBaseUrl,
      dialect: platform?.dialect,
    },
    app: {
      consumer_key: app?.consumerKey,
      consumer_secret: app?.consumerSecret,
      previous_consumer_secret: app?.previousConsumerSecret,
      bearer_token: app?.bearerToken,
    },
    webhook: { url: webhook?.url, listen: webhook?.listen },
    metrics: { listen: metrics?.listen },
    accounts,
    rules: [],
    bots,
    limits: {
      replies: limits?.replies,
      loop: limits?.loop,
      equal_replies: limits?.equalReplies,
      equal_posts: limits?.equalPosts,
    },
    opt_out: optOut && {
      words: optOut.words,
      text: optOut.text,
      back: optOut.back,
      back_text: optOut.backText,
    },
    quiet_hours: quietHours,
    bot_limits: { memory_mb: botLimits?.memoryMb },
    store,
    ...(isPostgresUrl(store) && { data: folder }),
    postgres: {
      pool: postgres?.pool,
      statement_timeout: postgres?.statementTimeout,
      connect_timeout: postgres?.connectTimeout,
    },
    role,
    process_name: processName,
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
