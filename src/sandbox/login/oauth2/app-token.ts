import { constantTimeEqual } from "../../../system/constant-time-equal.ts";
import { accessTokens, apps } from "../../model/apps.ts";
import { freshBearer } from "../../apps/secrets.ts";
import { appOf } from "../../auth/caller.ts";
import { percentDecoded } from "../../auth/basic.ts";
import { ApiError } from "../../kernel/http/api-error.ts";
import type { RouteResponse, RouteCall } from "../../server/route.ts";
import { parametersOf } from "../parameters.ts";

/** Returns the app-only bearer token for an app's key and secret: the same token until it is invalidated. */
export function appToken(call: RouteCall): RouteResponse {
  const { world } = call.sandbox;
  const app = appOf(call.caller);
  const grant = parametersOf(call).get("grant_type") ?? "";
  if (grant !== "client_credentials") {
    throw ApiError.forbidden(
      grant === ""
        ? "Missing required parameter: grant_type"
        : `grant_type is client_credentials here, got "${grant}".`,
      { v1: 170 },
    );
  }
  const bearerToken = app.bearerToken === "" ? freshBearer(world) : app.bearerToken;
  if (bearerToken !== app.bearerToken) apps.in(world).put({ ...app, bearerToken });
  return { body: { token_type: "bearer", access_token: bearerToken } };
}

/**
 * Invalidates the app-only token that the parameter `access_token` names.
 *
 * @throws {ApiError} 401 for a token of another app.
 */
export function invalidateAppToken(call: RouteCall): RouteResponse {
  const { sandbox, caller } = call;
  if (caller.kind === "signed" && !caller.verifySignature(secretOf(call)))
    throw ApiError.unauthorized();
  const app = appOf(caller);
  const accessToken = parametersOf(call).get("access_token") ?? "";
  const fits = [accessToken, percentDecoded(accessToken)].some((token) =>
    constantTimeEqual(token, app.bearerToken),
  );
  if (accessToken === "" || !fits) throw ApiError.unauthorized(89, "Invalid or expired token.");
  apps.in(sandbox.world).put({ ...app, bearerToken: "" });
  return { body: { access_token: accessToken } };
}

/** Returns the secret of the access token in a signed request; an empty string if the request has no token. */
function secretOf({ sandbox, caller }: RouteCall): string {
  const token = caller.kind === "signed" ? (caller.oauth.get("oauth_token") ?? "") : "";
  return accessTokens.in(sandbox.world).get(token)?.secret ?? "";
}
