import { assumed, type BehaviourRow, documented, stricter } from "../kernel/ledger.ts";

/** Section of the interface that describes the log-in. */
export const FLOW = "Log-in flow (OAuth 1.0a)";

/** Behaviour that only the live service has. */
export const LIVE = assumed("Not shown in the interface; follows the live service.");

/** Ledger row for the `POST` route of a page's form. */
export const FORM = assumed("The form of the page.");

export const behaviours: readonly BehaviourRow[] = [
  {
    behaviour: "three cases of sign-in: straight back, approval only, credentials and approval",
    ...documented(FLOW),
  },
  {
    behaviour: "callback URL must equal an allowlisted one",
    ...documented("Callback URL errors"),
  },
  {
    behaviour: "a callback with a query that the allowlisted one lacks is refused with 415",
    ...assumed("The callback URL rules can be read both ways; the exact match is followed."),
  },
  {
    behaviour: "redirect URI must equal an allowlisted one",
    ...documented("Callback URL errors"),
  },
  {
    behaviour: "an app without the sign-in setting is never let through unasked",
    ...assumed("The interface says only that the setting is turned on first."),
  },
  {
    behaviour: "oob gives a PIN of 7 digits; denied=<request token> on refusal",
    ...LIVE,
  },
  {
    behaviour:
      "request tokens live 15 minutes, authorization codes 30 seconds, user tokens 2 hours",
    ...assumed("The first is a guess; the others follow the live service."),
  },
  {
    behaviour:
      "1.1 answers an unknown app's key with an unknown token by code 89, without one by 32",
    ...LIVE,
  },
  {
    behaviour: "verifiers, codes and refresh tokens work once",
    ...LIVE,
  },
  {
    behaviour: "scopes may be spelled post.* as well as tweet.*, and are echoed as asked",
    ...assumed("The interface names no scopes; the live service knows only tweet.*."),
  },
  {
    behaviour: "a code challenge is required, of confidential apps too",
    ...assumed("The interface names the flow authorization code with PKCE."),
  },
  {
    behaviour: "forms of other sites are refused",
    ...stricter("By Origin and Sec-Fetch-Site, and by a key in the form of a signed-in person."),
  },
];
