import type { Area } from "../server/route.ts";
import { authorizationCodes, requestTokens, sessions } from "../model/login.ts";
import { oauth1Routes, FLOW } from "./oauth1/routes.ts";
import { oauth2Routes } from "./oauth2/routes.ts";
import { assumed, documented, stricter } from "../kernel/ledger.ts";
import { LIVE } from "./ledger.ts";

/** Log-in of people to apps: OAuth 1.0a, OAuth 2.0 and the app-only token. */
export const login: Area = {
  name: "login",
  tables: [requestTokens, authorizationCodes, sessions],
  routes: [...oauth1Routes, ...oauth2Routes],
  behaviours: [
    {
      behaviour:
        "sign-in redirects at once, asks for approval, or asks for credentials and approval",
      ...documented(FLOW),
    },
    {
      behaviour: "callback URL must equal an allowlisted one",
      ...documented("Callback URL errors"),
    },
    {
      behaviour: "a callback URL with a query that the allowlist lacks is refused with 415",
      ...assumed("The documentation allows both readings; the sandbox requires an exact match."),
    },
    {
      behaviour: "redirect URI must equal an allowlisted one",
      ...documented("Callback URL errors"),
    },
    {
      behaviour: "an app without the sign-in setting always asks the user for approval",
      ...assumed("The documentation says only that the setting must be turned on first."),
    },
    {
      behaviour: "oob gives a PIN of 7 digits; denied=<request token> on refusal",
      ...LIVE,
    },
    {
      behaviour:
        "request tokens are valid for 15 minutes, authorization codes 30 seconds, user tokens 2 hours",
      ...assumed("The 15 minutes are a guess; the other times follow the live service."),
    },
    {
      behaviour:
        "1.1 answers an unknown consumer key with code 89 if there is a token, otherwise 32",
      ...LIVE,
    },
    {
      behaviour: "verifiers, codes and refresh tokens work once",
      ...LIVE,
    },
    {
      behaviour: "scopes may be written post.* or tweet.*, and are returned as they were requested",
      ...assumed("The documentation names no scopes; the live service has only tweet.*."),
    },
    {
      behaviour: "a code challenge is required, also from confidential apps",
      ...assumed('The documentation calls the flow "authorization code with PKCE".'),
    },
    {
      behaviour: "a refresh may request fewer scopes; later refreshes may request all again",
      ...assumed("RFC 6749, section 6. A scope that the user did not grant gives invalid_scope."),
    },
    {
      behaviour: "status 401 has the header WWW-Authenticate with the scheme that the client used",
      ...assumed("RFC 9110, section 11.6.1, requires the header. Without credentials: OAuth."),
    },
    {
      behaviour: "forms that other sites send are refused",
      ...stricter("Checks Origin and Sec-Fetch-Site, and a key in the form of a signed-in person."),
    },
  ],
};
