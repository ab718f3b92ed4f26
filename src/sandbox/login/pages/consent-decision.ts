import type { UserRow } from "../../accounts/entities.ts";
import { constantTimeEqual } from "../../../system/constant-time-equal.ts";
import type { RouteCall } from "../../kernel/http/route.ts";
import { signIn, userByPassword, type Visitor, visitorOf } from "./session.ts";

/** What a person decided at a consent page, or why the page is shown again. */
export type ConsentDecision =
  | { readonly kind: "refused" }
  /** `cookie` is there when they signed in on the way. */
  | { readonly kind: "granted"; readonly user: UserRow; readonly cookie?: string }
  | { readonly kind: "again"; readonly fault: string; readonly status: 400 | 401 | 403 };

/** The signed-in person, unless the app requires a new sign-in. */
export function currentVisitor(call: RouteCall, params: URLSearchParams): Visitor | undefined {
  return /^(true|t|1)$/i.test(params.get("force_login") ?? "") ? undefined : visitorOf(call);
}

/**
 * Reads the form of a consent page.
 *
 * Forged forms are refused without a script: a browser sends the origin of a form, and a
 * signed-in person's form carries their session's key, which no other site can read.
 */
export function readDecision(call: RouteCall, params: URLSearchParams): ConsentDecision {
  if (!isFromOwnPage(call)) {
    return askAgain(403, "This form did not come from this page. Decide here.");
  }
  const decision = params.get("decision");
  if (decision === "deny") return { kind: "refused" };
  if (decision !== "allow") return askAgain(400, "Choose whether to authorize the app.");
  const username = params.get("username") ?? "";
  const password = params.get("password") ?? "";
  if (username !== "" || password !== "") {
    const user = userByPassword(call.sandbox, username, password);
    if (user === undefined) return askAgain(401, "The username and password do not match.");
    return { kind: "granted", user, cookie: signIn(call.sandbox, user) };
  }
  const visitor = currentVisitor(call, params);
  if (visitor === undefined) return askAgain(401, "Enter your username and password.");
  if (!constantTimeEqual(params.get("authenticity_token") ?? "", visitor.session.formKey)) {
    return askAgain(403, "This form is out of date. Decide again.");
  }
  return { kind: "granted", user: visitor.user };
}

function askAgain(status: 400 | 401 | 403, fault: string): ConsentDecision {
  return { kind: "again", fault, status };
}

/** Programs send neither header; browsers always send one. */
function isFromOwnPage({ headers }: RouteCall): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  const origin = headers["origin"];
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === headers["host"];
}
