import { createHash, randomBytes } from "node:crypto";
import { type OAuthScope, SCOPE_WORDS } from "../../protocol/access.ts";
import { parseBaseUrl } from "../http/base-url.ts";
import { checkKeys } from "../auth/check-credentials.ts";
import type { OAuth2Credentials, OAuth2Tokens } from "../auth/credentials.ts";
import { type ConnectionOptions, resolveSettings } from "../settings.ts";
import {
  postOAuth2,
  type LoginCallOptions,
  type OAuth2App,
  readTokens,
} from "../auth/token-request.ts";
import { encodeParams, endpointUrl } from "../http/url.ts";
import { type Callback, codeIn } from "./callback.ts";
import { LOGIN_PATHS } from "../auth/login-paths.ts";

/** Options of a log-in with OAuth 2.0. */
export interface OAuth2LoginOptions extends ConnectionOptions, OAuth2App {
  /** The page where users approve; default `/2/oauth2/authorize` of the base URL. */
  readonly authorizeUrl?: string | undefined;
}

/** A log-in in progress: store it in the user's session until the user returns. */
export interface OAuth2PendingLogin {
  /** Page to which you redirect the user's browser. */
  readonly url: string;
  /** Random text that comes back with the callback. It prevents completing another user's log-in here (CSRF). */
  readonly state: string;
  /** The secret half of PKCE. */
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** A scope in either dialect's spelling, such as `post.read` or `tweet.read`. */
export type AnyScope = OAuthScope | keyof typeof SCOPE_WORDS;

/** Converts a scope to the spelling of requests: the platform accepts only the older spelling. */
function wireScope(scope: AnyScope): OAuthScope {
  return isPostScope(scope) ? SCOPE_WORDS[scope] : scope;
}

function isPostScope(scope: AnyScope): scope is keyof typeof SCOPE_WORDS {
  return scope in SCOPE_WORDS;
}

/** Options of the page on which the user approves. */
export interface OAuth2BeginOptions {
  /** Entry of the app's callback allowlist; must match exactly. */
  readonly redirectUri: string;
  /** Scopes in either dialect's spelling; `offline.access` adds a refresh token. */
  readonly scopes: readonly AnyScope[];
  /** Text that comes back with the callback, up to 500 characters; default random. */
  readonly state?: string | undefined;
}

/** A log-in with OAuth 2.0 and PKCE, and the handling of its tokens. */
export interface OAuth2Login {
  /** Returns the page for the user, and the values to store until the callback. Sends nothing. */
  begin(options: OAuth2BeginOptions): OAuth2PendingLogin;
  /**
   * Exchanges the code of the callback for tokens. Codes are valid for 30 seconds and work once.
   *
   * @throws LoginError `denied`, `state-mismatch` or `verifier-missing`; PlatformError when the code is refused
   */
  complete(
    callback: Callback,
    begun: Pick<OAuth2PendingLogin, "state" | "codeVerifier" | "redirectUri">,
    options?: LoginCallOptions,
  ): Promise<OAuth2Tokens>;
  /** Exchanges a refresh token for new tokens. A refresh token works once. */
  refresh(refreshToken: string, options?: LoginCallOptions): Promise<OAuth2Tokens>;
  /** Invalidates a token. */
  revoke(
    token: string,
    hint?: "access_token" | "refresh_token",
    options?: LoginCallOptions,
  ): Promise<void>;
  /** Returns credentials for `createClient`; the client refreshes the token when it expires. */
  credentials(tokens: OAuth2Tokens, onRefresh?: OAuth2Credentials["onRefresh"]): OAuth2Credentials;
  /** Closes the connections. */
  close(): Promise<void>;
}

/**
 * Logs users in with OAuth 2.0.
 *
 * @example
 * const login = createOAuth2Login({ baseUrl, clientId });
 * const begun = login.begin({
 *   redirectUri: "https://bot.example/callback",
 *   scopes: ["post.read", "users.read", "offline.access"],
 * });
 * // Keep `begun` in the session, redirect to `begun.url`, and in the callback route:
 * const tokens = await login.complete(request.url, begun);
 * const client = createClient({ baseUrl, credentials: login.credentials(tokens, keep) });
 */
export function createOAuth2Login(options: OAuth2LoginOptions): OAuth2Login {
  const settings = resolveSettings(options);
  const { clientId, clientSecret } = options;
  const app = { clientId, clientSecret };
  const ask = (path: string, form: Readonly<Record<string, string>>, call?: LoginCallOptions) =>
    postOAuth2(settings, path, app, form, call);
  const tokens = async (form: Readonly<Record<string, string>>, call?: LoginCallOptions) =>
    readTokens(
      await ask(LOGIN_PATHS.userToken, form, call),
      settings.clock.now(),
      `POST ${LOGIN_PATHS.userToken}`,
    );
  checkKeys("the app's keys", { clientId, clientSecret }, [settings.baseUrl]);
  const page =
    options.authorizeUrl === undefined
      ? endpointUrl(settings.baseUrl, "/2/oauth2/authorize")
      : parseBaseUrl("authorizeUrl", options.authorizeUrl);
  return {
    begin: (begin) => pendingLogin(page, clientId, begin),
    complete: async (callback, begun, call) => {
      const code = codeIn(callback, begun.state);
      const { codeVerifier: code_verifier, redirectUri: redirect_uri } = begun;
      return tokens({ grant_type: "authorization_code", code, redirect_uri, code_verifier }, call);
    },
    refresh: async (refresh_token, call) => {
      const next = await tokens({ grant_type: "refresh_token", refresh_token }, call);
      return { ...next, refreshToken: next.refreshToken ?? refresh_token };
    },
    revoke: async (token, hint = "access_token", call = {}) => {
      await ask(LOGIN_PATHS.revokeUserToken, { token, token_type_hint: hint }, call);
    },
    credentials: ({ accessToken, refreshToken, expiresAt }, onRefresh) => ({
      type: "oauth2",
      accessToken,
      refreshToken,
      expiresAt,
      clientId,
      clientSecret,
      onRefresh,
    }),
    close: settings.close,
  };
}

function pendingLogin(page: URL, clientId: string, begin: OAuth2BeginOptions): OAuth2PendingLogin {
  const { redirectUri, scopes, state = randomBytes(24).toString("base64url") } = begin;
  const codeVerifier = randomBytes(32).toString("base64url");
  const url = new URL(page);
  url.search = encodeParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.map(wireScope).join(" "),
    state,
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  return { url: url.href, state, codeVerifier, redirectUri };
}
