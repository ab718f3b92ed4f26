import { type AccessLevel, ACCESS_LEVELS } from "../../protocol/access.ts";
import { constantTimeEqual } from "../../system/constant-time-equal.ts";
import { users } from "../model/accounts.ts";
import { accessTokens, type AppRow, apps, userTokens } from "../model/apps.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import type { AuthKind, RequestCaller, RouteAccess } from "./caller.ts";
import { basicPairs, percentDecoded } from "./basic.ts";
import type { Nonces } from "./nonces.ts";
import { checkFreshness, oauthParams, isSignatureValid, type SignedRequest } from "./oauth1.ts";

const INVALID_TOKEN = "Invalid or expired token.";

/** World, clocks and secrets that authentication needs besides the request. */
export interface AuthContext {
  readonly world: SandboxWorld;
  readonly controlToken: string;
  /**
   * Times near which a request may be signed, in milliseconds since the Unix epoch. The sandbox's current time is
   * first.
   */
  readonly clocks: readonly number[];
  readonly nonces: Nonces;
}

/**
 * Authenticates the caller of a request in one of the ways that the route accepts.
 *
 * @throws {ApiError} 401 if authentication fails; 403 at the app-only token endpoint.
 */
export function authenticate(
  request: SignedRequest & { readonly authorization: string },
  route: Pick<RouteAccess, "auth">,
  context: AuthContext,
): RequestCaller {
  if (route.auth.length === 0) return { kind: "anonymous" };
  const { authorization } = request;
  if (route.auth.includes("control")) return controlCaller(authorization, context);
  return readCredentials(request, route, context);
}

/**
 * Checks that a route accepts the kind of an authenticated caller.
 *
 * @throws {ApiError} 403 if the route does not accept this kind, or if the app or the user is suspended.
 */
export function checkAuthKind(caller: RequestCaller, { auth }: Pick<RouteAccess, "auth">): void {
  if (auth.length === 0) return;
  if (!auth.some((kind) => kind === caller.kind)) throw wrongAuthKind(caller.kind, auth);
  refuseSuspended(caller);
}

function readCredentials(
  request: SignedRequest & { readonly authorization: string },
  route: Pick<RouteAccess, "auth">,
  context: AuthContext,
): RequestCaller {
  const { authorization } = request;
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return bearerCaller(bearer, context);
  const oauth = /^oauth\s/i.test(authorization);
  if (route.auth.includes("basic") && !oauth) return basicCaller(request, context);
  return signedCaller(request, route, context);
}

/**
 * Finds the app of a consumer key and secret, in a Basic header or as `client_id` and `client_secret`.
 *
 * Source: the app-only token endpoint of the live service. The npm package `oauth` sends the parameters.
 */
function basicCaller(
  { authorization, form, query }: SignedRequest & { readonly authorization: string },
  { world }: AuthContext,
): RequestCaller {
  const sent = new Map([...query, ...form]);
  const named = { name: sent.get("client_id") ?? "", secret: sent.get("client_secret") ?? "" };
  for (const { name, secret } of [...basicPairs(authorization), named]) {
    const app = apps.in(world).first("consumerKey", name);
    if (app !== undefined && constantTimeEqual(app.consumerSecret, secret))
      return { kind: "basic", app };
  }
  throw new ApiError({
    status: 403,
    code: "unverified_credentials",
    message: "Unable to verify your credentials",
    raw: {
      errors: [
        {
          code: 99,
          label: "authenticity_token_error",
          message: "Unable to verify your credentials",
        },
      ],
    },
  });
}

function controlCaller(authorization: string, { controlToken }: AuthContext): RequestCaller {
  if (!constantTimeEqual(authorization.replace(/^bearer\s+/i, ""), controlToken)) {
    throw new ApiError({
      status: 401,
      code: "unauthorized",
      message: "Send the control token of the ready line as Authorization: Bearer <token>.",
    });
  }
  return { kind: "control" };
}

function bearerCaller(bearer: string, { world, clocks }: AuthContext): RequestCaller {
  const app =
    apps.in(world).first("bearerToken", bearer) ??
    apps.in(world).first("bearerToken", percentDecoded(bearer));
  if (app !== undefined) return { kind: "bearer", app };
  const row = userTokens.in(world).get(bearer);
  if (row === undefined || row.expiresAt <= (clocks[0] ?? 0)) {
    throw ApiError.unauthorized(89, INVALID_TOKEN);
  }
  const owner = apps.in(world).get(row.appId);
  const user = users.in(world).get(row.userId);
  if (owner === undefined || !owner.oauth2 || user === undefined)
    throw ApiError.unauthorized(89, INVALID_TOKEN);
  return { kind: "oauth2", app: owner, user, scopes: row.scopes, token: bearer };
}

function signedCaller(
  request: SignedRequest,
  route: Pick<RouteAccess, "auth">,
  context: AuthContext,
): RequestCaller {
  const oauth = oauthParams(request);
  const app = apps.in(context.world).first("consumerKey", oauth.get("oauth_consumer_key") ?? "");
  if (!oauth.has("oauth_signature")) throw missingCredentials(request.path);
  if (app === undefined || !app.oauth1) throw unknownApp(request.path, oauth);
  // A log-in step may be signed with a request token's secret, so the log-in area verifies the signature itself.
  if (route.auth.includes("signed")) {
    const verifySignature = (tokenSecret: string): boolean =>
      isSigned(request, app, tokenSecret, oauth, context);
    return { kind: "signed", app, oauth, verifySignature };
  }
  const row = accessTokens.in(context.world).get(oauth.get("oauth_token") ?? "");
  const user = row === undefined ? undefined : users.in(context.world).get(row.userId);
  if (row === undefined || user === undefined || row.appId !== app.id || row.voided) {
    throw ApiError.unauthorized(89, INVALID_TOKEN);
  }
  if (!isSigned(request, app, row.secret, oauth, context)) throw ApiError.unauthorized();
  return { kind: "oauth1", app, user, level: lowerLevel(row.level, app.level), token: row.token };
}

/**
 * Returns whether the request is signed with the secrets of the app and the token.
 *
 * @throws {ApiError} 401 for a valid signature that is stale or was used before.
 */
function isSigned(
  request: SignedRequest,
  app: AppRow,
  tokenSecret: string,
  oauth: ReadonlyMap<string, string>,
  { clocks, nonces }: AuthContext,
): boolean {
  const { consumerSecret } = app;
  if (!isSignatureValid(request, { consumerSecret, tokenSecret })) return false;
  checkFreshness(oauth, clocks, nonces);
  return true;
}

/** Returns the lower of two access levels. A token keeps its level unless the level of the app is now lower. */
function lowerLevel(a: AccessLevel, b: AccessLevel): AccessLevel {
  return ACCESS_LEVELS.indexOf(a) <= ACCESS_LEVELS.indexOf(b) ? a : b;
}

const KIND_NAMES: Readonly<Record<AuthKind, string>> = {
  oauth1: "OAuth 1.0a User Context",
  oauth2: "OAuth 2.0 User Context",
  bearer: "OAuth 2.0 Application-Only",
  signed: "OAuth 1.0a",
  basic: "Basic",
  control: "control token",
};

/** Returns the error for a request without credentials: 400 for paths of version 1.1, otherwise 401. */
function missingCredentials(path: string): ApiError {
  return /^\/(1\.1|oauth)\//.test(path)
    ? ApiError.unauthorized(215, "Bad Authentication data.")
    : ApiError.unauthorized();
}

/** Returns the error for an unknown app. Paths of version 1.1 report an unknown app like an invalid token. */
function unknownApp(path: string, oauth: ReadonlyMap<string, string>): ApiError {
  return path.startsWith("/1.1/") && oauth.has("oauth_token")
    ? ApiError.unauthorized(89, INVALID_TOKEN)
    : ApiError.unauthorized();
}

function wrongAuthKind(callerKind: RequestCaller["kind"], wanted: readonly AuthKind[]): ApiError {
  const name = callerKind === "anonymous" ? "nothing" : KIND_NAMES[callerKind];
  const supported = wanted.map((kind) => KIND_NAMES[kind]).join(", ");
  return ApiError.forbidden(
    // The live service writes two spaces after the full stop.
    `Authenticating with ${name} is forbidden for this endpoint.  Supported authentication types are [${supported}].`,
    {
      title: "Unsupported Authentication",
      problem: "unsupported-authentication",
      v1: 220,
      ads: "UNAUTHORIZED_CLIENT_APPLICATION",
    },
  );
}

function refuseSuspended(caller: RequestCaller): void {
  if ("user" in caller && caller.user.profile["suspended"] === true) {
    const message = "Your account is suspended and is not permitted to access this feature.";
    throw ApiError.forbidden(message, { v1: 64, ads: "CURRENT_USER_SUSPENDED" });
  }
  if (!("app" in caller) || !caller.app.suspended) return;
  throw ApiError.forbidden("This application has been suspended.", {
    title: "Client Forbidden",
    problem: "client-forbidden",
    v1: 416,
    ads: "UNAUTHORIZED_CLIENT_APPLICATION",
    extra: { client_id: caller.app.id, reason: "app-suspended" },
  });
}
