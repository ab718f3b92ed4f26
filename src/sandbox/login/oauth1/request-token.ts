import { ACCESS_LEVELS, type AccessLevel } from "../../../protocol/access.ts";
import { accessTokens, type AppRow } from "../../model/apps.ts";
import { ApiError } from "../../kernel/http/api-error.ts";
import type { RouteResponse, RouteCall } from "../../server/route.ts";
import { requestTokens } from "../../model/login.ts";
import { REQUEST_TOKEN_MS, deleteExpired } from "../lifetimes.ts";
import { requireSignedCaller } from "./signed-caller.ts";

/** `oauth_callback` of an app without a callback page: the person copies a PIN. */
export const OUT_OF_BAND = "oob";

/**
 * Handles step 1 of the log-in: issues a request token for a callback URL of the app's allowlist.
 *
 * @throws {ApiError} 401 for a bad signature, 403 if the callback URL is missing or not allowed.
 */
export function requestToken(call: RouteCall): RouteResponse {
  const { sandbox, caller } = call;
  const { world, time } = sandbox;
  const { app, oauth, verifySignature } = requireSignedCaller(caller);
  const carried = oauth.get("oauth_token") ?? "";
  const secret = carried === "" ? "" : accessTokens.in(world).get(carried)?.secret;
  if (secret === undefined || !verifySignature(secret)) throw ApiError.unauthorized();
  const callback = oauth.get("oauth_callback");
  if (callback === undefined || callback === "") {
    throw ApiError.forbidden(NO_CALLBACK, { v1: 38 });
  }
  if (callback !== OUT_OF_BAND && !app.callbackUrls.includes(callback)) return notApproved(call);
  deleteExpired(world, requestTokens, (row) => row.token, REQUEST_TOKEN_MS, time.now());
  const row = requestTokens.in(world).put({
    token: world.random.alphanumeric(27),
    secret: world.random.alphanumeric(32),
    appId: app.id,
    callback,
    level: levelFor(app, oauth.get("x_auth_access_type")),
    createdAt: time.now(),
  });
  const answer = new URLSearchParams({
    oauth_token: row.token,
    oauth_token_secret: row.secret,
    oauth_callback_confirmed: "true",
  });
  return { text: answer.toString() };
}

/** Returns the access level of the token: the app's, or a lower one that `x_auth_access_type` requests. */
function levelFor(app: AppRow, type: string | undefined): AccessLevel {
  if (type === undefined) return app.level;
  const wanted = type === "read" ? "read" : type === "write" ? "read-write" : undefined;
  if (wanted === undefined) {
    throw ApiError.forbidden(`x_auth_access_type is read or write, got "${type}".`, { v1: 38 });
  }
  return ACCESS_LEVELS.indexOf(wanted) < ACCESS_LEVELS.indexOf(app.level) ? wanted : app.level;
}

const NO_CALLBACK =
  "oauth_callback parameter is missing: send one of the callback URLs in the app's settings, or oob for a PIN.";

const NOT_APPROVED =
  "Callback URL not approved for this client application. Approved callback URLs can be adjusted in your application settings";

/** Returns the error for a forbidden callback, in XML if the request accepts it. Source: "Callback URL errors". */
function notApproved({ headers, path }: RouteCall): RouteResponse {
  if (!/\b(application|text)\/xml\b/i.test(headers["accept"] ?? "")) {
    return { status: 403, body: { errors: [{ code: 415, message: NOT_APPROVED }] } };
  }
  return {
    status: 403,
    headers: { "content-type": "application/xml; charset=utf-8" },
    text: `<?xml version="1.0" encoding="UTF-8"?>\n<hash>\n  <error>${NOT_APPROVED}</error>\n  <request>${path}</request>\n</hash>\n`,
  };
}
