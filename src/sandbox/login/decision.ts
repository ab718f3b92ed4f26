import type { User } from "../accounts/entities.ts";
import { equalText } from "../auth/equal.ts";
import type { Call } from "../kernel/route.ts";
import { signIn, userBy, type Visitor, visitorOf } from "./session.ts";

/** What a person decided at a consent page, or what keeps the page up. */
export type Decision =
  | { readonly kind: "refused" }
  /** `cookie` is there when they signed in on the way. */
  | { readonly kind: "granted"; readonly user: User; readonly cookie?: string }
  | { readonly kind: "again"; readonly fault: string; readonly status: 400 | 401 | 403 };

/** The signed-in person, unless the app asked that everybody signs in anew. */
export function askedVisitor(call: Call, params: URLSearchParams): Visitor | undefined {
  return /^(true|t|1)$/i.test(params.get("force_login") ?? "") ? undefined : visitorOf(call);
}

/**
 * Reads the form of a consent page.
 *
 * Forged forms are kept out without a script: a browser says where a form came from, and a
 * signed-in person's form carries their session's key, which no other site can read.
 */
export function decide(call: Call, params: URLSearchParams): Decision {
  if (!fromOwnPage(call)) {
    return again(403, "This form did not come from this page. Decide here.");
  }
  const decision = params.get("decision");
  if (decision === "deny") return { kind: "refused" };
  if (decision !== "allow") return again(400, "Choose whether to authorize the app.");
  const username = params.get("username") ?? "";
  const password = params.get("password") ?? "";
  if (username !== "" || password !== "") {
    const user = userBy(call.sandbox, username, password);
    if (user === undefined) return again(401, "The username and password do not match.");
    return { kind: "granted", user, cookie: signIn(call.sandbox, user) };
  }
  const visitor = askedVisitor(call, params);
  if (visitor === undefined) return again(401, "Enter your username and password.");
  if (!equalText(params.get("authenticity_token") ?? "", visitor.session.formKey)) {
    return again(403, "This form is out of date. Decide again.");
  }
  return { kind: "granted", user: visitor.user };
}

function again(status: 400 | 401 | 403, fault: string): Decision {
  return { kind: "again", fault, status };
}

/** Programs send neither header; browsers always send one. */
function fromOwnPage({ headers }: Call): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  const origin = headers["origin"];
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === headers["host"];
}
