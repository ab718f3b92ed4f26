import { UsageError } from "../errors.ts";
import { CredentialError } from "./errors.ts";

/** The user's access token and the app's keys: signs every request (OAuth 1.0a user context). */
export interface OAuth1Credentials {
  readonly type: "oauth1";
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly accessToken: string;
  readonly accessTokenSecret: string;
}

/** The app's own token, for public data, webhooks and account activity (app-only). */
export interface BearerCredentials {
  readonly type: "bearer";
  readonly bearerToken: string;
}

/** What an OAuth 2.0 token answer gave, for the one who keeps it. */
export interface OAuth2Tokens {
  readonly accessToken: string;
  /** Refresh tokens are used up by one refresh; the answer carries the next. */
  readonly refreshToken: string | undefined;
  /** Milliseconds since 1970, by the client's clock. */
  readonly expiresAt: number | undefined;
  /** Granted scopes, as the platform spells them: `tweet.read` in either dialect. */
  readonly scopes: readonly string[];
}

/** A user's OAuth 2.0 token, refreshed when it runs out if `refreshToken` is there. */
export interface OAuth2Credentials {
  readonly type: "oauth2";
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly clientId: string;
  /** Only confidential clients (web apps and automated apps) have one. */
  readonly clientSecret?: string | undefined;
  /** Milliseconds since 1970; with it, the token is refreshed before it is refused. */
  readonly expiresAt?: number | undefined;
  /**
   * Called with the new tokens before the first request uses them. Keep them durably: the old
   * refresh token is dead by then. A rejection fails the call that was waiting.
   */
  readonly onRefresh?: ((tokens: OAuth2Tokens) => void | Promise<void>) | undefined;
}

/** What a client may present, told apart by `type`. */
export type Credentials = OAuth1Credentials | BearerCredentials | OAuth2Credentials;

/** `oauth1` and `oauth2` act for a user, `bearer` for the app. */
export type CredentialKind = Credentials["type"];

/** How keys and tokens that a sandbox issued begin, so that they never reach another host. */
export const SANDBOX_PREFIX = "sandbox-";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether the host of this URL is this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

/**
 * Reads a base URL and refuses one that credentials must not be sent to.
 *
 * @throws UsageError when it is no URL, has a query, or is plain http to another machine.
 */
export function parseBaseUrl(name: string, value: string): URL {
  if (!URL.canParse(value)) {
    throw new UsageError(`${name} is not a URL: ${JSON.stringify(value)}`, {
      hint: `Write it with its scheme: "https://api.example.com".`,
    });
  }
  const url = new URL(value);
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new UsageError(`${name} carries a query, a fragment or a user name`, {
      hint: "Give the scheme, the host and a path prefix only.",
    });
  }
  const secure = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
  if (!secure) {
    throw new UsageError(`${name} would send credentials in the clear to ${url.host}`, {
      hint: "Use https; plain http is for this machine only (127.0.0.1, ::1, localhost).",
    });
  }
  return url;
}

/** Every part of the credentials that must not stand in a message or leave for a strange host. */
export function secretsOf(credentials: Credentials): string[] {
  switch (credentials.type) {
    case "oauth1":
      return [
        credentials.consumerKey,
        credentials.consumerSecret,
        credentials.accessToken,
        credentials.accessTokenSecret,
      ];
    case "bearer":
      return [credentials.bearerToken];
    case "oauth2":
      return [
        credentials.accessToken,
        credentials.refreshToken ?? "",
        credentials.clientSecret ?? "",
      ].filter((secret) => secret !== "");
  }
}

/** Keys and tokens are visible ASCII; anything else came from copying, such as the line break of a file. */
const UNFIT = /[^\x21-\x7e]/;

/**
 * Refuses credentials with an empty or garbled part, and a sandbox's credentials for a host that is not this machine.
 *
 * @throws CredentialError
 */
export function checkCredentials(credentials: Credentials, hosts: readonly URL[]): void {
  const parts = Object.entries(credentials).filter(([, value]) => typeof value === "string");
  const empty = parts.find(([, value]) => value === "");
  if (empty !== undefined) {
    throw new CredentialError(`the ${credentials.type} credentials have an empty ${empty[0]}`);
  }
  const garbled = parts.find(([, value]) => UNFIT.test(String(value)));
  if (garbled !== undefined) {
    throw new CredentialError(
      `the ${credentials.type} credentials have a ${garbled[0]} with a blank or an unprintable character`,
      { hint: "Look for a space or a line break at its end." },
    );
  }
  const foreign = hosts.find((host) => !isLoopback(host));
  const sandboxed = parts.find(([, value]) => String(value).startsWith(SANDBOX_PREFIX));
  if (foreign !== undefined && sandboxed !== undefined) {
    throw new CredentialError(
      `${sandboxed[0]} was issued by a sandbox and would be sent to ${foreign.host}`,
      { hint: "Use the keys of your app on the live service, or a base URL on this machine." },
    );
  }
}
