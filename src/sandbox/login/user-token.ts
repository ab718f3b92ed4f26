import { createHash } from "node:crypto";
import type { Scope } from "../../interface/access.ts";
import { type App, userTokens } from "../apps/entities.ts";
import { equalText } from "../auth/equal.ts";
import type { Answer, Call } from "../kernel/route.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { provenClient } from "./client-proof.ts";
import { type AuthorizationCode, authorizationCodes } from "./entities.ts";
import { CODE_MS, isOver, USER_TOKEN_MS } from "./lifetimes.ts";
import { oauth2Error } from "./oauth2-error.ts";
import { parametersOf } from "./parameters.ts";

/**
 * The OAuth 2.0 token endpoint: a code, or a refresh token, becomes a user's access token.
 *
 * @throws {Refusal} `{error, error_description}`.
 */
export function userToken(call: Call): Answer {
  const params = parametersOf(call);
  const grant = required(params, "grant_type");
  const app = provenClient(call, params);
  if (grant === "authorization_code") return exchange(call.sandbox, app, params);
  if (grant === "refresh_token") return refresh(call.sandbox, app, params);
  throw oauth2Error(
    "unsupported_grant_type",
    `grant_type is authorization_code or refresh_token, got "${grant}".`,
  );
}

/** Ends an access or a refresh token, and with it the other of the pair. Source: RFC 7009. */
export function revokeUserToken(call: Call): Answer {
  const params = parametersOf(call);
  const app = provenClient(call, params);
  const token = required(params, "token");
  const table = userTokens.in(call.sandbox.world);
  const row = table.get(token) ?? table.first("refreshToken", token);
  if (row !== undefined && row.appId !== app.id) {
    throw oauth2Error("invalid_request", "Value passed for the token was invalid.");
  }
  if (row !== undefined) table.delete(row.token);
  return { body: { revoked: true } };
}

/** A code works once, and only for who it was made for. */
function exchange(sandbox: Sandbox, app: App, params: URLSearchParams): Answer {
  const codes = authorizationCodes.in(sandbox.world);
  const row = codes.get(required(params, "code"));
  if (
    row === undefined ||
    row.appId !== app.id ||
    isOver(row.createdAt, CODE_MS, sandbox.time.now())
  ) {
    throw oauth2Error("invalid_request", "Value passed for the authorization code was invalid.");
  }
  if (required(params, "redirect_uri") !== row.redirectUri) {
    throw oauth2Error(
      "invalid_request",
      "Value passed for the redirect uri did not match the uri of the authorization code.",
    );
  }
  if (!verified(row, required(params, "code_verifier"))) {
    throw oauth2Error(
      "invalid_request",
      "Value passed for the code verifier did not match the code challenge.",
    );
  }
  codes.delete(row.code);
  return issue(sandbox, app, row);
}

/** The old pair ends with its refresh: a refresh token works once. */
function refresh(sandbox: Sandbox, app: App, params: URLSearchParams): Answer {
  const table = userTokens.in(sandbox.world);
  const row = table.first("refreshToken", required(params, "refresh_token"));
  if (row === undefined || row.appId !== app.id) {
    throw oauth2Error("invalid_request", "Value passed for the token was invalid.");
  }
  table.delete(row.token);
  return issue(sandbox, app, row);
}

/** What a person granted; `scope` in the app's spelling. */
interface Granted {
  readonly userId: string;
  readonly scopes: readonly Scope[];
  readonly scope?: string | undefined;
}

function issue(
  { world, time }: Sandbox,
  app: App,
  { userId, scopes, scope = scopes.join(" ") }: Granted,
): Answer {
  const row = userTokens.in(world).put({
    token: world.random.letters(91),
    appId: app.id,
    userId,
    scopes: [...scopes],
    scope,
    expiresAt: time.now() + USER_TOKEN_MS,
    ...(scopes.includes("offline.access") ? { refreshToken: world.random.letters(91) } : {}),
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

/** Source: RFC 7636, 4.6. */
function verified({ challenge, method }: AuthorizationCode, verifier: string): boolean {
  if (method === "plain") return equalText(verifier, challenge);
  return equalText(createHash("sha256").update(verifier).digest("base64url"), challenge);
}

function required(params: URLSearchParams, name: string): string {
  const value = params.get(name) ?? "";
  if (value !== "") return value;
  throw oauth2Error("invalid_request", `Missing required parameter [${name}].`);
}
