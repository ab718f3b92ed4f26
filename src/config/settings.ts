import { type LimitSettings, toLimits } from "./answer-limit.ts";
import type { OpeningHours } from "../hours/opening-hours.ts";
import { readOpen } from "../hours/read-hours.ts";
import { DEFAULT_DATA } from "./file-names.ts";
import type { Posting } from "../protocol/public-text/posting.ts";
import type { SettingsFile } from "./settings-schema.ts";
import { durationMs } from "../system/duration.ts";
import { driverUrl, isPostgresUrl } from "../system/postgres-url.ts";

/**
 * How events come. The platform calls the webhook: by account activity (`webhook`), by its successor, the activity
 * interface (`activity`), or by `both`. Or they are read again and again (`polling`).
 */
export type EventSource = "webhook" | "activity" | "both" | "polling";

/**
 * What a process does, where several share a store. A `receiver` takes deliveries in, a `worker` decides and sends, and
 * whoever is `all` does both.
 */
export type RoleSetting = "all" | "receiver" | "worker";

/** The settings of a bot, checked and complete. */
export interface Settings {
  readonly target: "sandbox" | "live";
  readonly source: EventSource;
  readonly platform: {
    /** May be absent with `target: sandbox`: the sandbox knows its address. */
    readonly baseUrl?: string;
    readonly adsBaseUrl?: string;
    readonly dialect: "post" | "tweet";
  };
  /** How texts are published. */
  readonly posts: Posting;
  readonly app: {
    readonly consumerKey?: string;
    readonly consumerSecret?: string;
    readonly previousConsumerSecret?: string;
    readonly bearerToken?: string;
  };
  readonly webhook: { readonly url?: string; readonly listen: Listen };
  /** Where metrics can be read; nowhere when absent. */
  readonly metrics: { readonly listen?: Listen };
  /** Where the console is served; nowhere when absent. Who enters its admin token may change things on the live platform. */
  readonly console: { readonly listen?: Listen; readonly adminToken?: string };
  /** Handles, without `@`. */
  readonly accounts: readonly string[];
  /** Globs, absolute. */
  readonly rules: readonly string[];
  /** Globs, absolute. */
  readonly bots: readonly string[];
  readonly limits: LimitsSetting;
  /** Absent: nobody opts out. */
  readonly optOut?: OptOutSetting;
  readonly quietHours: QuietHoursSetting;
  /** Hosts that the step `http` may ask. */
  readonly http: { readonly allow: readonly string[] };
  readonly secrets: SecretSetting;
  /** What one bot may take. */
  readonly botLimits: { readonly memoryMb: number };
  readonly store: StoreSetting;
  readonly postgres: PostgresSetting;
  readonly role: RoleSetting;
  /** Begins the name of this process; absent: its host's name and process id do. */
  readonly processName?: string;
  /** How far the files of `--log-file` and `dev` may grow. */
  readonly log: LogSetting;
  /** The file the settings come from, absolute; absent when there was none. */
  readonly file?: string;
}

/** Where a server listens. Port 0 lets the system choose. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** What holds answers back before they run away. */
export interface LimitsSetting {
  readonly all: LimitSettings;
  /** By handle in small letters, without `@`: accounts that have their own. */
  readonly accounts: ReadonlyMap<string, LimitSettings>;
}

/** How people say that they want to hear no more, and that they do again. */
export interface OptOutSetting {
  readonly words: readonly string[];
  readonly back: readonly string[];
  /** What they are told then; nothing, where absent. */
  readonly text?: string;
  readonly backText?: string;
}

/** When the bot does not speak first. */
export interface QuietHoursSetting {
  /** Of all accounts but those that have their own; absent: never. */
  readonly all?: OpeningHours;
  /** By handle in small letters, without `@`. */
  readonly accounts: ReadonlyMap<string, OpeningHours>;
}

/** Variables of the environment that rules may read, by name. */
export interface SecretSetting {
  /** Absent: all but those of `taken`. */
  readonly listed?: readonly string[];
  /** Variables that the settings file takes by `env.NAME`: no rule reads them. */
  readonly taken: readonly string[];
}

/** How far log files may grow. */
export interface LogSetting {
  /** Bytes from which a file is put aside and a new one begun. */
  readonly fileBytes: number;
  /** How many are kept, the current one among them. */
  readonly files: number;
}

/** Where the store is kept, and what this machine keeps beside it. */
export interface StoreSetting {
  /** What `openStore` takes: `file:` and an absolute folder, or `postgres://…`, which may have a password in it. */
  readonly url: string;
  /** Data folder of this machine, absolute: how to reach its bot, its log, the sandbox. A `file:` store is in it, too. */
  readonly folder: string;
}

/** How this process is connected to a PostgreSQL store. */
export interface PostgresSetting {
  /** At most so many connections. */
  readonly pool: number;
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

/** Where settings come from, beyond their text. */
export interface SettingsOrigin {
  /** Makes a path of the file absolute, taking the file's own folder as its base. */
  readonly absolute: (path: string) => string;
  /** The settings file, absolute; absent when there was none. */
  readonly source?: string | undefined;
  /** Data folder that takes the place of the one in the settings, absolute: also of a `file:` store. */
  readonly data?: string | undefined;
  /** Of a PostgreSQL store whose URL has none. */
  readonly password?: string | undefined;
  /** Names of the variables that the file takes. */
  readonly taken?: readonly string[];
}

/** The settings under the names of the code, every path absolute. */
export function toSettings(file: SettingsFile, origin: SettingsOrigin): Settings {
  const { absolute, source } = origin;
  const { platform, app, webhook, metrics, limits, console } = file;
  return {
    target: file.target,
    source: file.source,
    platform: {
      dialect: platform.dialect,
      ...given("baseUrl", platform.base_url?.replace(/\/+$/, "")),
      ...given("adsBaseUrl", platform.ads_base_url?.replace(/\/+$/, "")),
    },
    app: {
      ...given("consumerKey", app.consumer_key),
      ...given("consumerSecret", app.consumer_secret),
      ...given("previousConsumerSecret", app.previous_consumer_secret),
      ...given("bearerToken", app.bearer_token),
    },
    webhook: { ...given("url", webhook.url), listen: toListen(webhook.listen) },
    metrics: metrics.listen === undefined ? {} : { listen: toListen(metrics.listen) },
    console: {
      ...(console.listen !== undefined && { listen: toListen(console.listen) }),
      ...given("adminToken", console.admin_token),
    },
    accounts: file.accounts.map((handle) => handle.replace(/^@/, "")),
    rules: file.rules.map((glob) => absolute(glob)),
    bots: file.bots.map((glob) => absolute(glob)),
    posts: {
      long: file.posts.long,
      thirdParties: file.posts.third_parties,
      longform: platform.longform,
    },
    limits: {
      all: toLimits(limits),
      accounts: new Map(
        Object.entries(limits.accounts).map(([handle, own]) => [
          nameOf(handle),
          toLimits(limits, own),
        ]),
      ),
    },
    ...given("optOut", file.opt_out && toOptOut(file.opt_out)),
    quietHours: toQuietHours(file.quiet_hours),
    http: { allow: file.http.allow },
    secrets: { taken: origin.taken ?? [], ...given("listed", file.secrets) },
    botLimits: { memoryMb: file.bot_limits.memory_mb },
    store: toStore(file, origin),
    postgres: {
      pool: file.postgres.pool,
      statementTimeoutMs: durationMs(file.postgres.statement_timeout),
      connectTimeoutMs: durationMs(file.postgres.connect_timeout),
    },
    role: file.role,
    ...given("processName", file.process_name),
    log: { fileBytes: Math.round(file.log.file_mb * BYTES_OF_MB), files: file.log.files },
    ...given("file", source),
  };
}

function toStore(
  { store, data: said = DEFAULT_DATA }: SettingsFile,
  { absolute, data, password }: SettingsOrigin,
): StoreSetting {
  if (isPostgresUrl(store)) {
    return { url: driverUrl(store, password), folder: data ?? absolute(said) };
  }
  const folder = data ?? absolute(store.slice("file:".length));
  return { url: `file:${folder}`, folder };
}

const BYTES_OF_MB = 1_000_000;

/** Handles are compared in small letters. */
function nameOf(handle: string): string {
  return handle.replace(/^@/, "").toLowerCase();
}

/** Converts the written opt-out to the names of the code. */
export function toOptOut(written: NonNullable<SettingsFile["opt_out"]>): OptOutSetting {
  const { words, back, text, back_text: backText } = written;
  return { words, back, ...given("text", text), ...given("backText", backText) };
}

function toQuietHours(written: SettingsFile["quiet_hours"]): QuietHoursSetting {
  if (written === undefined) return { accounts: new Map() };
  const { zone, times, accounts } = written;
  return {
    ...given("all", times && hoursOf(zone, times)),
    accounts: new Map(
      Object.entries(accounts).map(([handle, own]) => [
        nameOf(handle),
        hoursOf(own.zone ?? zone, own.times),
      ]),
    ),
  };
}

/** The times of a zone in which the bot does not speak first. */
export function hoursOf(zone: string, times: readonly string[]): OpeningHours {
  return { zone, open: times.flatMap((text) => readOpen(text) ?? []), closed: [] };
}

/** `host:port`, taken apart. */
export function toListen(listen: string): Listen {
  const colon = listen.lastIndexOf(":");
  return { host: listen.slice(0, colon), port: Number(listen.slice(colon + 1)) };
}

/** `{[key]: value}`, or nothing where there is no value. */
function given<K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } {
  const entry: { [P in K]?: T } = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}
