import { ACCESS_LEVELS } from "../../../protocol/access.ts";
import { constantTimeEqual } from "../../../system/constant-time-equal.ts";
import { users } from "../../model/accounts.ts";
import { accessTokens } from "../../model/apps.ts";
import { issueAccessToken } from "../../apps/grants.ts";
import { ApiError } from "../../kernel/http/api-error.ts";
import type { RouteResponse, RouteCall } from "../../server/route.ts";
import { requestTokens } from "../../model/login.ts";
import { isExpired, REQUEST_TOKEN_MS } from "../lifetimes.ts";
import { requireSignedCaller } from "./signed-caller.ts";

/**
 * Handles step 3 of the log-in: exchanges the approved request token and its verifier for the user's access token,
 * once.
 *
 * @throws {ApiError} 401 as plain text, like the live service.
 */
export function accessToken({ sandbox, caller }: RouteCall): RouteResponse {
  const { world, time } = sandbox;
  const { app, oauth, verifySignature } = requireSignedCaller(caller);
  const requestToken = oauth.get("oauth_token") ?? "";
  if (requestToken === "") throw failed("Request token missing");
  const row = requestTokens.in(world).get(requestToken);
  if (
    row === undefined ||
    row.appId !== app.id ||
    isExpired(row.createdAt, REQUEST_TOKEN_MS, time.now())
  ) {
    throw failed("Error processing your OAuth request: Invalid or expired request token");
  }
  if (!verifySignature(row.secret)) throw failed("Failed to validate oauth signature and token");
  const user = users.in(world).get(row.userId ?? "");
  const verified = constantTimeEqual(row.verifier ?? "", oauth.get("oauth_verifier") ?? "");
  if (user === undefined || row.verifier === undefined || !verified) {
    throw failed("Error processing your OAuth request: Invalid oauth_verifier parameter");
  }
  requestTokens.in(world).delete(row.token);
  const lowered = ACCESS_LEVELS.indexOf(app.level) < ACCESS_LEVELS.indexOf(row.level);
  const issued = issueAccessToken(sandbox, app, user, lowered ? app.level : row.level);
  const answer = new URLSearchParams({
    oauth_token: issued.token,
    oauth_token_secret: issued.secret,
    user_id: user.id,
    screen_name: user.username,
  });
  return { text: answer.toString() };
}

/** Invalidates the access token that the request is signed with. */
export function invalidateAccessToken({ sandbox, caller }: RouteCall): RouteResponse {
  if (caller.kind !== "oauth1") throw ApiError.unauthorized();
  accessTokens.in(sandbox.world).delete(caller.token);
  return { body: { access_token: caller.token } };
}

function failed(text: string): ApiError {
  return new ApiError({ status: 401, code: "log_in_failed", message: text, raw: text });
}
