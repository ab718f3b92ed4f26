import type { Method, Route } from "../kernel/route.ts";
import { accessToken, invalidateAccessToken } from "./access-token.ts";
import { appToken, invalidateAppToken } from "./app-token.ts";
import { showAuthorize, takeAuthorize } from "./authorize.ts";
import { type ConsentMode, showConsent, takeConsent } from "./consent.ts";
import { verifyCredentials } from "./identity.ts";
import { requestToken } from "./request-token.ts";
import { revokeUserToken, userToken } from "./user-token.ts";

/** Log-in steps of OAuth 1.0a are signed by the app; pages and OAuth 2.0 prove callers themselves. */
export const routes: readonly Route[] = [
  { method: "POST", path: "/oauth/request_token", auth: ["signed"], handle: requestToken },
  ...(["authenticate", "authorize"] as const).flatMap((mode) => [
    ...consentRoutes(`/oauth/${mode}`, mode),
    ...consentRoutes(`/i/oauth/${mode}`, mode),
  ]),
  { method: "POST", path: "/oauth/access_token", auth: ["signed"], handle: accessToken },
  ...["/1.1/oauth/invalidate_token", "/1.1/oauth/invalidate_token.json"].map((path): Route => ({
    method: "POST",
    path,
    auth: ["oauth1"],
    handle: invalidateAccessToken,
  })),
  {
    method: "GET",
    path: "/1.1/account/verify_credentials.json",
    auth: ["oauth1"],
    limits: { user: 75 },
    handle: verifyCredentials,
  },
  ...["/2/oauth2/authorize", "/i/oauth2/authorize"].flatMap((path): Route[] => [
    { ...open("GET", path), handle: showAuthorize },
    { ...open("POST", path), handle: takeAuthorize },
  ]),
  { ...open("POST", "/2/oauth2/token"), handle: userToken },
  { ...open("POST", "/2/oauth2/revoke"), handle: revokeUserToken },
  { method: "POST", path: "/oauth2/token", auth: ["basic"], handle: appToken },
  {
    method: "POST",
    path: "/oauth2/invalidate_token",
    auth: ["basic", "signed"],
    handle: invalidateAppToken,
  },
];

function consentRoutes(path: string, mode: ConsentMode): Route[] {
  return [
    { ...open("GET", path), handle: (call) => showConsent(call, mode) },
    { ...open("POST", path), handle: takeConsent },
  ];
}

function open(method: Method, path: string): Pick<Route, "method" | "path" | "auth"> {
  return { method, path, auth: [] };
}
