import { constantTimeEqual } from "../../../system/constant-time-equal.ts";
import { type AppRow, apps } from "../../model/apps.ts";
import { isConfidential } from "../../apps/settings.ts";
import { basicPairs } from "../../auth/basic.ts";
import type { RouteCall } from "../../server/route.ts";
import { oauth2Error } from "./oauth2-error.ts";

/**
 * Authenticates the app of a request to the OAuth 2.0 token endpoints.
 *
 * Confidential apps authenticate by client secret, in a Basic header or as a parameter. Public apps have no secret and
 * send only their client id. Source: RFC 6749, 2.3 and 3.2.1.
 *
 * @throws {ApiError} 400 for an unknown app, 401 for a missing or wrong secret, 403 for a suspended one.
 */
export function authenticateClient(
  { sandbox, headers }: RouteCall,
  params: URLSearchParams,
): AppRow {
  const named = params.get("client_id") ?? "";
  const basic = basicPairs(headers["authorization"] ?? "");
  const credentials = [...basic, { name: named, secret: params.get("client_secret") ?? "" }];
  const matchingClients = credentials
    .map(({ name, secret }) => ({ app: findClient(sandbox.world, name), secret }))
    .filter((pair): pair is { app: AppRow; secret: string } => pair.app !== undefined);
  const app = matchingClients[0]?.app;
  if (app === undefined) throw unknownClient(credentials.every(({ name }) => name === ""));
  if (named !== "" && named !== app.clientId) {
    throw oauth2Error("invalid_request", "client_id is not that of the authorization header.");
  }
  if (app.suspended) throw oauth2Error("unauthorized_client", "The app has been suspended.", 403);
  if (!app.oauth2) {
    throw oauth2Error("unauthorized_client", "The app has OAuth 2.0 turned off.", 403);
  }
  if (isConfidential(app) && !matchingClients.some(({ secret }) => hasSecret(app, secret))) {
    throw oauth2Error("unauthorized_client", "Missing valid authorization header", 401);
  }
  return app;
}

function findClient(world: RouteCall["sandbox"]["world"], clientId: string): AppRow | undefined {
  return apps.in(world).first("clientId", clientId);
}

function hasSecret({ clientSecret = "" }: AppRow, secret: string): boolean {
  return clientSecret !== "" && constantTimeEqual(clientSecret, secret);
}

function unknownClient(unnamed: boolean): ReturnType<typeof oauth2Error> {
  return unnamed
    ? oauth2Error("unauthorized_client", "Missing valid authorization header", 401)
    : oauth2Error("invalid_request", "Value passed for the client_id was invalid.");
}
