import { contentHash } from "../../../system/content-hash.ts";
import type { OAuthScope } from "../../../protocol/access.ts";
import { constantTimeEqual } from "../../../system/constant-time-equal.ts";
import { type AppRow, type UserTokenRow, userTokens } from "../../model/apps.ts";
import type { RouteResponse, RouteCall } from "../../server/route.ts";
import type { Sandbox } from "../../kernel/sandbox.ts";
import { type AuthorizationCodeRow, authorizationCodes } from "../../model/login.ts";
import { CODE_MS, isExpired, USER_TOKEN_MS } from "../lifetimes.ts";
import { parametersOf } from "../parameters.ts";
import { authenticateClient } from "./authenticate-client.ts";
import { scopeOf } from "./authorize-request.ts";
import { oauth2Error } from "./oauth2-error.ts";

/**
 * Handles the OAuth 2.0 token endpoint: exchanges a code or a refresh token for a user's access token.
 *
 * @throws {ApiError} `{error, error_description}`.
 */
export function userToken(call: RouteCall): RouteResponse {
  const params = parametersOf(call);
  const grant = required(params, "grant_type");
  const app = authenticateClient(call, params);
  if (grant === "authorization_code") return exchangeCode(call.sandbox, app, params);
  if (grant === "refresh_token") return refreshToken(call.sandbox, app, params);
  throw oauth2Error(
    "unsupported_grant_type",
    `grant_type is authorization_code or refresh_token, got "${grant}".`,
  );
}

/** Revokes an access or refresh token, and the other token of the pair. Source: RFC 7009. */
export function revokeUserToken(call: RouteCall): RouteResponse {
  const params = parametersOf(call);
  const app = authenticateClient(call, params);
  const token = required(params, "token");
  const table = userTokens.in(call.sandbox.world);
  const row = table.get(token) ?? table.first("refreshToken", token);
  if (row !== undefined && row.appId !== app.id) {
    throw oauth2Error("invalid_request", "Value passed for the token was invalid.");
  }
  if (row !== undefined) table.delete(row.token);
  return { body: { revoked: true } };
}

/** Exchanges a code for tokens. A code works once, and only for its app. */
function exchangeCode(sandbox: Sandbox, app: AppRow, params: URLSearchParams): RouteResponse {
  const codes = authorizationCodes.in(sandbox.world);
  const row = codes.get(required(params, "code"));
  if (
    row === undefined ||
    row.appId !== app.id ||
    isExpired(row.createdAt, CODE_MS, sandbox.time.now())
  ) {
    throw oauth2Error("invalid_request", "Value passed for the authorization code was invalid.");
  }
  if (required(params, "redirect_uri") !== row.redirectUri) {
    throw oauth2Error(
      "invalid_request",
      "Value passed for the redirect uri did not match the uri of the authorization code.",
    );
  }
  if (!matchesChallenge(row, required(params, "code_verifier"))) {
    throw oauth2Error(
      "invalid_request",
      "Value passed for the code verifier did not match the code challenge.",
    );
  }
  codes.delete(row.code);
  return issue(sandbox, app, row);
}

/** Exchanges a refresh token for a new pair of tokens. A refresh token works once. */
function refreshToken(sandbox: Sandbox, app: AppRow, params: URLSearchParams): RouteResponse {
  const table = userTokens.in(sandbox.world);
  const row = table.first("refreshToken", required(params, "refresh_token"));
  if (row === undefined || row.appId !== app.id) {
    throw oauth2Error("invalid_request", "Value passed for the token was invalid.");
  }
  const grant = narrowed(row, params.get("scope"));
  table.delete(row.token);
  return issue(sandbox, app, grant);
}

/**
 * Returns the grant with the requested scopes only, or with all granted scopes if none are requested. The new refresh
 * token has all scopes of the old refresh token. Source: RFC 6749, 6.
 *
 * @throws {ApiError} 400 for a scope that the user did not grant.
 */
function narrowed(
  { userId, scopes, scope, refreshScopes = scopes }: UserTokenRow,
  requested: string | null,
): TokenGrant {
  const words = (requested ?? "").split(/\s+/).filter((word) => word !== "");
  if (words.length === 0 && refreshScopes === scopes) return { userId, scopes, scope };
  const wanted = words.length === 0 ? refreshScopes : words.map((word) => scopeOf(word));
  const grantedScopes = refreshScopes.filter((one) => wanted.includes(one));
  if (grantedScopes.length < new Set(wanted).size) {
    throw oauth2Error("invalid_scope", "A requested scope was not granted by the user.");
  }
  const texts = words.length === 0 ? {} : { scope: words.join(" ") };
  return { userId, scopes: grantedScopes, refreshScopes, ...texts };
}

/** Scopes that a person granted. `scope` has them as the app spelled them in its request. */
interface TokenGrant {
  readonly userId: string;
  readonly scopes: readonly OAuthScope[];
  readonly scope?: string | undefined;
  /** Scopes that a refresh may request; by default the scopes of the access token. */
  readonly refreshScopes?: readonly OAuthScope[] | undefined;
}

function issue(
  { world, time }: Sandbox,
  app: AppRow,
  { userId, scopes, scope = scopes.join(" "), refreshScopes = scopes }: TokenGrant,
): RouteResponse {
  const row = userTokens.in(world).put({
    token: world.random.alphanumeric(91),
    appId: app.id,
    userId,
    scopes: [...scopes],
    scope,
    expiresAt: time.now() + USER_TOKEN_MS,
    ...(refreshScopes.length > scopes.length ? { refreshScopes: [...refreshScopes] } : {}),
    ...(refreshScopes.includes("offline.access")
      ? { refreshToken: world.random.alphanumeric(91) }
      : {}),
  });
  return {
    body: {
      token_type: "bearer",
      expires_in: USER_TOKEN_MS / 1000,
      access_token: row.token,
      scope,
      ...(row.refreshToken === undefined ? {} : { refresh_token: row.refreshToken }),
    },
    headers: { "cache-control": "no-store", pragma: "no-cache" },
  };
}

/** Verifies a code verifier. Source: RFC 7636, 4.6. */
function matchesChallenge({ challenge, method }: AuthorizationCodeRow, verifier: string): boolean {
  if (method === "plain") return constantTimeEqual(verifier, challenge);
  return constantTimeEqual(contentHash(verifier), challenge);
}

function required(params: URLSearchParams, name: string): string {
  const value = params.get(name) ?? "";
  if (value !== "") return value;
  throw oauth2Error("invalid_request", `Missing required parameter [${name}].`);
}
