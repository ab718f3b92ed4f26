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

/** The tokens of an OAuth 2.0 token answer, to be stored. */
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
   * Called with the new tokens before the first request uses them. Store them durably: the old
   * refresh token no longer works. A rejection fails the call that was waiting.
   */
  readonly onRefresh?: ((tokens: OAuth2Tokens) => void | Promise<void>) | undefined;
}

/** Credentials of a client, distinguished by `type`. */
export type Credentials = OAuth1Credentials | BearerCredentials | OAuth2Credentials;

/** Every part of the credentials that must not appear in a message or reach another host. */
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
