import type { Route } from "../../server/route.ts";
import { documented, type Fidelity } from "../../kernel/ledger.ts";
import { FORM, LIVE } from "../ledger.ts";
import { appToken, invalidateAppToken } from "./app-token.ts";
import { showAuthorize, submitAuthorize } from "./authorize.ts";
import { revokeUserToken, userToken } from "./user-token.ts";

/** Properties of routes whose handlers authenticate the app themselves, since RFC 6749 allows several ways. */
const open = { auth: [], ledger: LIVE } as const;

/** Routes of OAuth 2.0 for users, and of the app-only token. */
export const oauth2Routes: readonly Route[] = [
  ...authorizeRoutes(
    "/2/oauth2/authorize",
    documented(
      "OAuth 2.0 authorization",
      "redirect_uri and state; the other parameters follow the live service.",
    ),
  ),
  ...authorizeRoutes("/i/oauth2/authorize", LIVE),
  { method: "POST", path: "/2/oauth2/token", ...open, handle: userToken },
  { method: "POST", path: "/2/oauth2/revoke", ...open, handle: revokeUserToken },
  { method: "POST", path: "/oauth2/token", auth: ["basic"], ledger: LIVE, handle: appToken },
  {
    method: "POST",
    path: "/oauth2/invalidate_token",
    auth: ["basic", "signed"],
    ledger: LIVE,
    handle: invalidateAppToken,
  },
];

/** Creates the `GET` route of a consent page and the `POST` route that receives its form. */
function authorizeRoutes(path: string, ledger: Fidelity): Route[] {
  return [
    { method: "GET", path, auth: [], ledger, handle: showAuthorize },
    { method: "POST", path, auth: [], ledger: FORM, handle: submitAuthorize },
  ];
}
