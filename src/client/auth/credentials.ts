/** OAuth 1.0a user context: the user's access token and the app's keys, which sign every request. */
export interface OAuth1Credentials {
  readonly type: "oauth1";
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly accessToken: string;
  readonly accessTokenSecret: string;
}

/** App-only: the app's own token, for public data, webhooks and account activity. */
export interface BearerCredentials {
  readonly type: "bearer";
  readonly bearerToken: string;
}

/** Tokens that an OAuth 2.0 log-in or refresh returned. Store them durably. */
export interface OAuth2Tokens {
  readonly accessToken: string;
  /** Works for one refresh, whose result has the next refresh token. */
  readonly refreshToken: string | undefined;
  /** Expiry of the access token in milliseconds since 1970, by the client's clock. */
  readonly expiresAt: number | undefined;
  /** Granted scopes in the platform's older spelling, such as `tweet.read`, whatever the client's dialect. */
  readonly scopes: readonly string[];
}

/** A user's OAuth 2.0 token. With a `refreshToken` it is refreshed when it expires. */
export interface OAuth2Credentials {
  readonly type: "oauth2";
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly clientId: string;
  /** Secret of a confidential client (web app or automated app); public clients have none. */
  readonly clientSecret?: string | undefined;
  /** Expiry in milliseconds since 1970. If set, the token is refreshed before the platform refuses it. */
  readonly expiresAt?: number | undefined;
  /**
   * Called with the new tokens before the first request uses them. Store them durably: the old refresh token no longer
   * works. If the callback rejects, the call that waits for the tokens fails, and the next call passes them on again.
   */
  readonly onRefresh?: ((tokens: OAuth2Tokens) => void | Promise<void>) | undefined;
}

/** Credentials of a client, distinguished by `type`. */
export type Credentials = OAuth1Credentials | BearerCredentials | OAuth2Credentials;

/** Returns the secret parts of credentials, which must not appear in a message or reach another host. */
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
