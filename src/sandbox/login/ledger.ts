import type { LedgerRow } from "../kernel/route.ts";

const flow = "Log-in flow (OAuth 1.0a)";
const live = "Not shown in the interface; follows the live service.";

const form = "The form of the page.";

export const ledger: readonly LedgerRow[] = [
  { method: "POST", path: "/oauth/request_token", fidelity: "documented", section: flow },
  {
    method: "GET",
    path: "/oauth/authenticate",
    fidelity: "documented",
    section: flow,
    note: "force_login and screen_name follow the live service.",
  },
  { method: "POST", path: "/oauth/authenticate", fidelity: "assumed", note: form },
  { method: "GET", path: "/oauth/authorize", fidelity: "assumed", note: live },
  { method: "POST", path: "/oauth/authorize", fidelity: "assumed", note: form },
  { method: "GET", path: "/i/oauth/authenticate", fidelity: "assumed", note: live },
  { method: "POST", path: "/i/oauth/authenticate", fidelity: "assumed", note: form },
  { method: "GET", path: "/i/oauth/authorize", fidelity: "assumed", note: live },
  { method: "POST", path: "/i/oauth/authorize", fidelity: "assumed", note: form },
  { method: "POST", path: "/oauth/access_token", fidelity: "documented", section: flow },
  { method: "POST", path: "/1.1/oauth/invalidate_token", fidelity: "assumed", note: live },
  { method: "POST", path: "/1.1/oauth/invalidate_token.json", fidelity: "assumed", note: live },
  {
    method: "GET",
    path: "/1.1/account/verify_credentials.json",
    fidelity: "documented",
    section: flow,
    note: "The interface shows neither path nor payload: both follow the live service.",
  },
  {
    method: "GET",
    path: "/2/oauth2/authorize",
    fidelity: "documented",
    section: "OAuth 2.0 authorization",
    note: "redirect_uri and state; the other parameters follow the live service.",
  },
  {
    method: "POST",
    path: "/2/oauth2/authorize",
    fidelity: "assumed",
    note: form,
  },
  { method: "GET", path: "/i/oauth2/authorize", fidelity: "assumed", note: live },
  {
    method: "POST",
    path: "/i/oauth2/authorize",
    fidelity: "assumed",
    note: form,
  },
  { method: "POST", path: "/2/oauth2/token", fidelity: "assumed", note: live },
  { method: "POST", path: "/2/oauth2/revoke", fidelity: "assumed", note: live },
  { method: "POST", path: "/oauth2/token", fidelity: "assumed", note: live },
  { method: "POST", path: "/oauth2/invalidate_token", fidelity: "assumed", note: live },
  {
    behaviour: "three cases of sign-in: straight back, approval only, credentials and approval",
    fidelity: "documented",
    section: flow,
  },
  {
    behaviour: "callback URL must equal an allowlisted one",
    fidelity: "documented",
    section: "Callback URL errors",
  },
  {
    behaviour: "redirect URI must equal an allowlisted one",
    fidelity: "documented",
    section: "Callback URL errors",
  },
  {
    behaviour: "an app without the sign-in setting is never let through unasked",
    fidelity: "assumed",
    note: "The interface says only that the setting is turned on first.",
  },
  {
    behaviour: "oob gives a PIN of 7 digits; denied=<request token> on refusal",
    fidelity: "assumed",
    note: live,
  },
  {
    behaviour:
      "request tokens live 15 minutes, authorization codes 30 seconds, user tokens 2 hours",
    fidelity: "assumed",
    note: "The first is a guess; the others follow the live service.",
  },
  {
    behaviour: "verifiers, codes and refresh tokens work once",
    fidelity: "assumed",
    note: live,
  },
  {
    behaviour: "scopes may be spelled post.* as well as tweet.*, and are echoed as asked",
    fidelity: "assumed",
    note: "The interface names no scopes; the live service knows only tweet.*.",
  },
  {
    behaviour: "a code challenge is required, of confidential apps too",
    fidelity: "assumed",
    note: "The interface names the flow authorization code with PKCE.",
  },
  {
    behaviour: "forms of other sites are refused",
    fidelity: "stricter",
    note: "By Origin and Sec-Fetch-Site, and by a key in the form of a signed-in person.",
  },
];
