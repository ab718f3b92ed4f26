import { SCOPE_WORDS, SCOPES, type OAuthScope } from "../../../protocol/access.ts";
import { type AppRow, apps } from "../../model/apps.ts";
import type { RouteResponse } from "../../server/route.ts";
import type { Sandbox } from "../../kernel/sandbox.ts";
import { redirect, withQuery } from "../pages/redirect.ts";
import { oauth2Error, type OAuth2ErrorCode } from "./oauth2-error.ts";

/** Authorization that an app requests from a person. */
export interface AuthorizeRequest {
  readonly app: AppRow;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly scopes: readonly OAuthScope[];
  /** Scopes as the app spelled them in its request. */
  readonly scope: string;
  readonly challenge: string;
  readonly method: "S256" | "plain";
}

/**
 * Reads an authorization request from its parameters; returns a redirect to the app if they are invalid.
 *
 * @throws {ApiError} 400 or 403 as JSON if app or redirect URI are invalid: then there is no address to redirect to.
 */
export function authorizeRequest(
  sandbox: Sandbox,
  params: URLSearchParams,
): AuthorizeRequest | RouteResponse {
  const app = clientOf(sandbox, params.get("client_id") ?? "");
  const redirectUri = params.get("redirect_uri") ?? "";
  if (!app.callbackUrls.includes(redirectUri)) {
    throw oauth2Error(
      "invalid_request",
      "Value passed for the redirect uri did not match any callback URL of the app.",
    );
  }
  const state = params.get("state") ?? undefined;
  if (state !== undefined && state.length > 500) {
    const fault = `state holds at most 500 characters, got ${state.length}.`;
    return sendBack(redirectUri, undefined, "invalid_request", fault);
  }
  const type = params.get("response_type");
  if (type !== "code") {
    return sendBack(redirectUri, state, "unsupported_response_type", "response_type must be code.");
  }
  const words = new Set((params.get("scope") ?? "").split(/\s+/).filter((word) => word !== ""));
  const scopes = [...new Set([...words].flatMap((word) => scopeOf(word) ?? []))];
  const unknownWord = [...words].find((word) => scopeOf(word) === undefined);
  if (unknownWord !== undefined || scopes.length === 0) {
    const fault =
      unknownWord === undefined ? "scope must name a scope." : `There is no scope ${unknownWord}.`;
    return sendBack(redirectUri, state, "invalid_scope", fault);
  }
  const challenge = params.get("code_challenge") ?? "";
  const method = methodOf(params.get("code_challenge_method") ?? "plain");
  if (challenge === "" || challenge.length > 128 || method === undefined) {
    const fault =
      method === undefined
        ? "code_challenge_method must be S256 or plain."
        : "code_challenge must have 1 to 128 characters.";
    return sendBack(redirectUri, state, "invalid_request", fault);
  }
  return { app, redirectUri, state, scopes, scope: [...words].join(" "), challenge, method };
}

/** Returns the scope for its spelling with `post` or `tweet`: both `post.read` and `tweet.read` return `tweet.read`. */
export function scopeOf(word: string): OAuthScope | undefined {
  const words: Readonly<Record<string, OAuthScope>> = SCOPE_WORDS;
  return Object.hasOwn(words, word) ? words[word] : SCOPES.find((scope) => scope === word);
}

function clientOf({ world }: Sandbox, clientId: string): AppRow {
  const app = apps.in(world).first("clientId", clientId);
  if (app === undefined) {
    throw oauth2Error("invalid_request", "Value passed for the client_id was invalid.");
  }
  if (!app.suspended && app.oauth2) return app;
  const why = app.suspended ? "The app has been suspended." : "The app has OAuth 2.0 turned off.";
  throw oauth2Error("unauthorized_client", why, 403);
}

/** Reads the challenge method. Published clients write `S256` in upper or lower case. */
function methodOf(name: string): "S256" | "plain" | undefined {
  if (/^s256$/i.test(name)) return "S256";
  return name === "plain" ? "plain" : undefined;
}

/** Redirects the person to the app with an error. Source: RFC 6749, 4.1.2.1. */
export function sendBack(
  redirectUri: string,
  state: string | undefined,
  error: OAuth2ErrorCode,
  description: string,
): RouteResponse {
  return redirect(
    withQuery(redirectUri, {
      error,
      error_description: description,
      ...(state === undefined ? {} : { state }),
    }),
  );
}
