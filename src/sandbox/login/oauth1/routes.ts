import type { Route } from "../../server/route.ts";
import { assumed, documented, type Fidelity } from "../../kernel/ledger.ts";
import { FORM, LIVE } from "../ledger.ts";
import { accessToken, invalidateAccessToken } from "./access-token.ts";
import { type ConsentMode, showConsent, submitConsent } from "./consent.ts";
import { requestToken } from "./request-token.ts";
import { verifyCredentials } from "./verify-credentials.ts";

/** Title of the documentation's section that describes the log-in. */
export const FLOW = "Log-in flow (OAuth 1.0a)";

const signed = { auth: ["signed"], ledger: documented(FLOW) } as const;

/** Fidelity note of the GET variants of the POST routes; older clients send GET. */
const AS_GET = assumed("The documentation names POST; the live service accepts GET, too.");

/** Routes of OAuth 1.0a. The app signs its requests for tokens; on the pages people sign in with a password. */
export const oauth1Routes: readonly Route[] = [
  { method: "POST", path: "/oauth/request_token", ...signed, handle: requestToken },
  { method: "GET", path: "/oauth/request_token", ...signed, ledger: AS_GET, handle: requestToken },
  ...consentRoutes(
    "/oauth/authenticate",
    "authenticate",
    documented(FLOW, "force_login and screen_name follow the live service."),
  ),
  ...consentRoutes("/oauth/authorize", "authorize", LIVE),
  ...consentRoutes("/i/oauth/authenticate", "authenticate", LIVE),
  ...consentRoutes("/i/oauth/authorize", "authorize", LIVE),
  { method: "POST", path: "/oauth/access_token", ...signed, handle: accessToken },
  { method: "GET", path: "/oauth/access_token", ...signed, ledger: AS_GET, handle: accessToken },
  ...["/1.1/oauth/invalidate_token", "/1.1/oauth/invalidate_token.json"].map((path): Route => ({
    method: "POST",
    path,
    auth: ["oauth1"],
    ledger: LIVE,
    handle: invalidateAccessToken,
  })),
  {
    method: "GET",
    path: "/1.1/account/verify_credentials.json",
    auth: ["oauth1"],
    limits: { user: 75 },
    ledger: documented(
      FLOW,
      "The interface shows neither path nor payload: both follow the live service.",
    ),
    handle: verifyCredentials,
  },
];

/** Creates the `GET` route of a consent page and the `POST` route that receives its form. */
function consentRoutes(path: string, mode: ConsentMode, ledger: Fidelity): Route[] {
  return [
    { method: "GET", path, auth: [], ledger, handle: (call) => showConsent(call, mode) },
    { method: "POST", path, auth: [], ledger: FORM, handle: submitConsent },
  ];
}
