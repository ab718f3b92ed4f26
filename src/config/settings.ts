import type { SettingsFile } from "./settings-schema.ts";

/** What the runtime is told to do, checked and complete. */
export interface Settings {
  readonly target: "sandbox" | "live";
  readonly platform: {
    /** Absent with `target: sandbox`: the sandbox says where it answers. */
    readonly baseUrl?: string;
    readonly adsBaseUrl?: string;
    readonly dialect: "post" | "tweet";
  };
  readonly app: {
    readonly consumerKey?: string;
    readonly consumerSecret?: string;
    readonly bearerToken?: string;
    readonly clientId?: string;
    readonly clientSecret?: string;
  };
  readonly webhook: { readonly url?: string; readonly listen: Listen };
  /** Handles, without `@`. */
  readonly accounts: readonly string[];
  /** Globs, absolute. */
  readonly rules: readonly string[];
  /** Globs, absolute. */
  readonly bots: readonly string[];
  readonly store: StoreSetting;
  readonly console: { readonly listen: Listen };
  /** The file the settings come from, absolute; absent when there was none. */
  readonly file?: string;
}

/** Where a server listens. Port 0 lets the system choose. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

export type StoreSetting =
  | { readonly engine: "file"; /** Absolute. */ readonly folder: string }
  | { readonly engine: "postgres"; readonly url: string };

/**
 * The settings in the words of the code, every path absolute.
 *
 * @param absolute Makes a path of the file absolute, taking the file's own folder as its base.
 */
export function toSettings(
  file: SettingsFile,
  absolute: (path: string) => string,
  source: string | undefined,
): Settings {
  const { platform, app, webhook } = file;
  return {
    target: file.target,
    platform: {
      dialect: platform.dialect,
      ...given("baseUrl", platform.base_url?.replace(/\/+$/, "")),
      ...given("adsBaseUrl", platform.ads_base_url?.replace(/\/+$/, "")),
    },
    app: {
      ...given("consumerKey", app.consumer_key),
      ...given("consumerSecret", app.consumer_secret),
      ...given("bearerToken", app.bearer_token),
      ...given("clientId", app.client_id),
      ...given("clientSecret", app.client_secret),
    },
    webhook: { ...given("url", webhook.url), listen: toListen(webhook.listen) },
    accounts: file.accounts.map((handle) => handle.replace(/^@/, "")),
    rules: file.rules.map((glob) => absolute(glob)),
    bots: file.bots.map((glob) => absolute(glob)),
    store: toStore(file.store, absolute),
    console: { listen: toListen(file.console.listen) },
    ...given("file", source),
  };
}

function toListen(listen: string): Listen {
  const colon = listen.lastIndexOf(":");
  return { host: listen.slice(0, colon), port: Number(listen.slice(colon + 1)) };
}

function toStore(store: string, absolute: (path: string) => string): StoreSetting {
  return store.startsWith("file:")
    ? { engine: "file", folder: absolute(store.slice("file:".length)) }
    : { engine: "postgres", url: store };
}

/** `{[key]: value}`, or nothing where there is no value. */
function given<K extends string>(
  key: K,
  value: string | undefined,
): { readonly [P in K]?: string } {
  const entry: { [P in K]?: string } = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}
