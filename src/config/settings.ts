import type * as z from "zod";
import { readOpen } from "../hours/read-hours.ts";
import type { OpeningHours } from "../hours/opening-hours.ts";
import { durationMs } from "../system/duration.ts";
import { driverUrl, isPostgresUrl } from "../system/postgres-url.ts";
import { type LimitSetting, readLimit } from "./answer-limit.ts";
import { type CamelKeys, camelKeys } from "./camel-keys.ts";
import { DEFAULT_DATA } from "./file-names.ts";
import { limitsOfAccount } from "./schema/restraint-schema.ts";
import { settingsFile, type SettingsFile } from "./schema/settings-schema.ts";

/** Checked settings of a bot with their defaults, under camelCase names. */
export interface Settings extends Readonly<ReturnType<typeof toSettings>> {}

/** Value of the setting `source`: the way in which events reach the bot. */
export type EventSource = Settings["source"];
/** Value of the setting `role`: the work of this process if several processes share a store. */
export type RoleSetting = Settings["role"];
/** Words by which people opt out, and in again. */
export type OptOutSetting = NonNullable<Settings["optOut"]>;
/** Size limits of log files. */
export type LogSetting = Settings["log"];

/** Data about a settings file that its text does not contain. */
export interface SettingsOrigin {
  /** Resolves a path of the file against the file's own folder. */
  readonly absolute: (path: string) => string;
  /** Absolute path of the settings file; absent if there is none. */
  readonly source?: string | undefined;
  /** Absolute path that replaces the data folder of the settings, including that of a `file:` store. */
  readonly data?: string | undefined;
  /** Password for a PostgreSQL URL without one. */
  readonly password?: string | undefined;
  /** Names of the environment variables that the settings file uses. */
  readonly usedVariables?: readonly string[];
}

/**
 * Converts checked settings to the form that the code uses. The object below names only settings whose form changes.
 */
export function toSettings(checked: SettingsFile, origin: SettingsOrigin) {
  const { absolute, source: file } = origin;
  const { data, secrets, ...named } = camelKeys(settingsFile, checked);
  const { platform, webhook, metrics, console, limits, postgres, log } = named;
  return {
    ...named,
    platform: {
      ...platform,
      ...toOptionalEntry("baseUrl", platform.baseUrl?.replace(/\/+$/, "")),
      ...toOptionalEntry("adsBaseUrl", platform.adsBaseUrl?.replace(/\/+$/, "")),
    },
    webhook: {
      ...webhook,
      ...toOptionalEntry("url", webhook.url === undefined ? undefined : normalizedUrl(webhook.url)),
      listen: toListen(webhook.listen),
    },
    metrics: withListen(metrics),
    console: withListen(console),
    /** Handles of the accounts, without `@`. */
    accounts: mapped(named.accounts, (handle) => handle.replace(/^@/, "")),
    /** Absolute globs of rule files. */
    rules: mapped(named.rules, absolute),
    /** Absolute globs of bot modules. */
    bots: mapped(named.bots, absolute),
    posts: { ...named.posts, longform: platform.longform },
    limits: {
      all: toLimits(limits),
      /** Limits of the accounts that have their own limits, by handle. */
      accounts: byHandle(limits.accounts, (own) => toLimits(limits, own)),
    },
    quietHours: toQuietHours(named.quietHours),
    /**
     * Environment variables that rules may read: those in `listed`; without that list, all except `settingNames`, the
     * variables that the settings file uses.
     */
    secrets: { ...toOptionalEntry("listed", secrets), settingNames: origin.usedVariables ?? [] },
    store: toStore(named.store, data, origin),
    postgres: {
      pool: postgres.pool,
      statementTimeoutMs: durationMs(postgres.statementTimeout),
      connectTimeoutMs: durationMs(postgres.connectTimeout),
    },
    log: { files: log.files, fileBytes: Math.round(log.fileMb * BYTES_OF_MB) },
    /** Absolute path of the settings file; absent if there is none. */
    ...toOptionalEntry("file", file),
  };
}

function mapped(texts: readonly string[], change: (text: string) => string): readonly string[] {
  return texts.map((text) => change(text));
}

const BYTES_OF_MB = 1_000_000;

type NamedSettings = CamelKeys<SettingsFile>;

/**
 * Resolves the store and this machine's data folder.
 *
 * @returns `url` for `openStore`, which may contain a password, and the absolute data folder of this machine.
 */
function toStore(
  store: string,
  writtenData = DEFAULT_DATA,
  { absolute, data, password }: SettingsOrigin,
) {
  if (isPostgresUrl(store)) {
    return { url: driverUrl(store, password), folder: data ?? absolute(writtenData) };
  }
  const folder = data ?? absolute(store.slice("file:".length));
  return { url: `file:${folder}`, folder };
}

type WrittenLimits = CamelKeys<z.output<typeof limitsOfAccount>>;

/** Limits of one account. An absent limit means that there is none. */
export type LimitSettings = { readonly [Name in keyof WrittenLimits]?: LimitSetting };

/** Parses the limits of an account; limits in `own` take precedence over the general ones in `all`. */
export function toLimits(all: WrittenLimits, own: WrittenLimits = {}): LimitSettings {
  const { replies, loop, equalReplies, equalPosts } = { ...all, ...own };
  return {
    ...toOptionalEntry("replies", readLimit(replies)),
    ...toOptionalEntry("loop", readLimit(loop)),
    ...toOptionalEntry("equalReplies", readLimit(equalReplies)),
    ...toOptionalEntry("equalPosts", readLimit(equalPosts)),
  };
}

/** Hours in which the bot starts no conversation; `all` applies to accounts without their own hours. */
function toQuietHours(written: NamedSettings["quietHours"]): {
  readonly all?: OpeningHours;
  readonly accounts: ReadonlyMap<string, OpeningHours>;
} {
  if (written === undefined) return { accounts: new Map() };
  const { zone, times, accounts } = written;
  return {
    ...toOptionalEntry("all", times && hoursOf(zone, times)),
    accounts: byHandle(accounts, (own) => hoursOf(own.zone ?? zone, own.times)),
  };
}

/** Converts values by account to a map by handle. Handles are in lower case, without `@`. */
function byHandle<T, U>(
  accounts: Readonly<Record<string, T>>,
  read: (own: T) => U,
): ReadonlyMap<string, U> {
  const entries = Object.entries(accounts);
  return new Map(entries.map(([name, own]) => [name.replace(/^@/, "").toLowerCase(), read(own)]));
}

/** Creates quiet hours from a time zone and times. */
export function hoursOf(zone: string, times: readonly string[]): OpeningHours {
  return { zone, open: times.flatMap((text) => readOpen(text) ?? []), closed: [] };
}

/** Address at which a server listens. Port 0 lets the system choose. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** Splits `host:port`. */
export function toListen(listen: string): Listen {
  const colon = listen.lastIndexOf(":");
  return { host: listen.slice(0, colon), port: Number(listen.slice(colon + 1)) };
}

/** Settings of a server that is off unless `listen` is set. */
function withListen<T extends { readonly listen?: string }>({ listen, ...others }: T) {
  return {
    ...others,
    ...toOptionalEntry("listen", listen === undefined ? undefined : toListen(listen)),
  };
}

/** Normalizes a URL, so that it equals the URL in the platform's list of webhooks. */
function normalizedUrl(text: string): string {
  const { href, origin, search } = new URL(text);
  return text === origin + search ? text : href;
}

/** `{[key]: value}`, or an empty object if the value is undefined. */
function toOptionalEntry<K extends string, T>(
  key: K,
  value: T | undefined,
): { readonly [P in K]?: T } {
  const entry: { [P in K]?: T } = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}
