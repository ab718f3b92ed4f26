import { constantTimeEqual } from "../../../system/constant-time-equal.ts";
import type { UserRow } from "../../model/accounts.ts";
import type { RouteCall } from "../../server/route.ts";
import {
  knownPeople,
  knownPerson,
  signIn,
  userByPassword,
  type Visitor,
  visitorOf,
} from "./session.ts";

/** Decision of a person at a consent page, or the reason why the page is shown again. */
export type ConsentDecision =
  | { readonly kind: "refused" }
  /** `cookie` is set when the person signed in with this form. */
  | { readonly kind: "granted"; readonly user: UserRow; readonly cookie?: string }
  | ({ readonly kind: "again" } & ConsentFault);

/** Fault of a submitted form. */
export interface ConsentFault {
  readonly fault: string;
  /** Whether name and password are wrong or missing; otherwise the fault concerns the whole form. */
  readonly inCredentials: boolean;
  readonly status: 400 | 401 | 403;
}

const FORCED = /^(true|t|1)$/i;

/** Returns the signed-in person, unless the app requires a new sign-in. */
export function currentVisitor(call: RouteCall, params: URLSearchParams): Visitor | undefined {
  return mayContinue(params) ? visitorOf(call) : undefined;
}

/**
 * Reads the form of a consent page.
 *
 * Refuses forms of other sites, for which the pages need no script: a browser sends the origin of a form, and the form
 * of a signed-in person contains the key of their session, which no other site can read.
 */
export function readDecision(call: RouteCall, params: URLSearchParams): ConsentDecision {
  if (!isFromOwnPage(call)) {
    return askAgain(403, "This form did not come from this page. Decide here.");
  }
  const person = params.get("continue_as");
  if (person !== null) return continuedAs(call, params, person);
  const decision = params.get("decision");
  if (decision === "deny") return { kind: "refused" };
  if (decision !== "allow") return askAgain(400, "Choose whether to authorize the app.");
  const username = params.get("username") ?? "";
  const password = params.get("password") ?? "";
  if (username !== "" || password !== "") {
    const user = userByPassword(call.sandbox, username, password);
    if (user === undefined) return NO_MATCH;
    return { kind: "granted", user, cookie: signIn(call.sandbox, user) };
  }
  const visitor = currentVisitor(call, params);
  if (visitor === undefined) return NO_CREDENTIALS;
  if (!constantTimeEqual(params.get("authenticity_token") ?? "", visitor.session.formKey)) {
    return askAgain(403, "This form is out of date. Decide again.");
  }
  return { kind: "granted", user: visitor.user };
}

/** Accepts the consent of a person who needs no password, since they have the default password. */
function continuedAs(call: RouteCall, params: URLSearchParams, username: string): ConsentDecision {
  const user = mayContinue(params) ? knownPerson(call.sandbox, username) : undefined;
  if (user === undefined) return NO_MATCH;
  return { kind: "granted", user, cookie: signIn(call.sandbox, user) };
}

/** Maximum number of people that the page offers to continue as. */
const MAX_PEOPLE = 6;

/** Returns people who can continue without a password; empty if the app requires a new sign-in. */
export function peopleToContinueAs(call: RouteCall, params: URLSearchParams): readonly UserRow[] {
  if (!mayContinue(params)) return [];
  const visitor = visitorOf(call)?.user.id;
  return knownPeople(call.sandbox, MAX_PEOPLE).filter(({ id }) => id !== visitor);
}

function mayContinue(params: URLSearchParams): boolean {
  return !FORCED.test(params.get("force_login") ?? "");
}

const NO_MATCH: ConsentDecision = {
  kind: "again",
  fault: "The username and password do not match.",
  inCredentials: true,
  status: 401,
};
const NO_CREDENTIALS: ConsentDecision = {
  kind: "again",
  fault: "Enter your username and password.",
  inCredentials: true,
  status: 401,
};

function askAgain(status: 400 | 401 | 403, fault: string): ConsentDecision {
  return { kind: "again", fault, inCredentials: false, status };
}

/** Returns whether a form is from this server's page. Browsers send `Sec-Fetch-Site` or `Origin`, programs may not. */
function isFromOwnPage({ headers }: RouteCall): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  const origin = headers["origin"];
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === headers["host"];
}
