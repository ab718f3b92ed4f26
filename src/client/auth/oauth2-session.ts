import type { Authorizer } from "../http/authorizer.ts";
import type { OAuth2Credentials, OAuth2Tokens } from "./credentials.ts";
import { LOGIN_PATHS } from "./login-paths.ts";
import type { ClientSettings } from "../settings.ts";
import { postOAuth2, readTokens } from "./token-request.ts";

/** Milliseconds before expiry at which a token is refreshed, so that it does not expire during a request. */
const EARLY_MS = 30_000;

/** Authorizer with a user's OAuth 2.0 token. An expiring token is refreshed once for all waiting calls. */
export class OAuth2Session implements Authorizer {
  readonly kind = "oauth2";
  readonly #credentials: OAuth2Credentials;
  readonly #settings: ClientSettings;
  #accessToken: string;
  #refreshToken: string | undefined;
  #expiresAt: number | undefined;
  /** Tokens whose `onRefresh` has not resolved. The next call passes them on again before their first use. */
  #unstored: OAuth2Tokens | undefined;
  #renewing: Promise<void> | undefined;

  constructor(credentials: OAuth2Credentials, settings: ClientSettings) {
    this.#credentials = credentials;
    this.#settings = settings;
    this.#accessToken = credentials.accessToken;
    this.#refreshToken = credentials.refreshToken;
    this.#expiresAt = credentials.expiresAt;
  }

  async header(): Promise<string> {
    await this.#renewing;
    const runsOut = this.#expiresAt !== undefined && this.#refreshToken !== undefined;
    const isDue = runsOut && this.#settings.clock.now() >= (this.#expiresAt ?? 0) - EARLY_MS;
    if (isDue || this.#unstored !== undefined) {
      await this.#renewOnce();
    }
    return `Bearer ${this.#accessToken}`;
  }

  async renew(used: string): Promise<boolean> {
    if (used !== `Bearer ${this.#accessToken}`) return true;
    if (this.#refreshToken === undefined) return false;
    await this.#renewOnce();
    return true;
  }

  secrets(): readonly string[] {
    const { clientSecret } = this.#credentials;
    return [this.#accessToken, this.#refreshToken, clientSecret].filter((one) => one !== undefined);
  }

  #renewOnce(): Promise<void> {
    this.#renewing ??= this.#refresh().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #refresh(): Promise<void> {
    this.#unstored ??= await this.#requestTokens();
    await this.#credentials.onRefresh?.(this.#unstored);
    this.#unstored = undefined;
  }

  async #requestTokens(): Promise<OAuth2Tokens> {
    const { clientId, clientSecret } = this.#credentials;
    const path = LOGIN_PATHS.userToken;
    const form = { grant_type: "refresh_token", refresh_token: this.#refreshToken ?? "" };
    const answer = await postOAuth2(this.#settings, path, { clientId, clientSecret }, form);
    const tokens = readTokens(answer, this.#settings.clock.now(), `POST ${path}`);
    this.#accessToken = tokens.accessToken;
    this.#expiresAt = tokens.expiresAt;
    // A response without a refresh token leaves the old one valid (RFC 6749, section 6).
    this.#refreshToken = tokens.refreshToken ?? this.#refreshToken;
    return { ...tokens, refreshToken: this.#refreshToken };
  }
}
