import { type App, apps } from "../apps/entities.ts";
import { hasApproved } from "../apps/grants.ts";
import type { Answer, Call } from "../kernel/route.ts";
import { approve, BASIS, refuse } from "./approval.ts";
import { consentPage } from "./consent-page.ts";
import { askedVisitor, decide } from "./decision.ts";
import { type RequestToken, requestTokens } from "./entities.ts";
import { isOver, REQUEST_TOKEN_MS } from "./lifetimes.ts";
import { notice } from "./page.ts";
import { parametersOf } from "./parameters.ts";
import { permissionsOfLevel } from "./permissions.ts";
import { OUT_OF_BAND } from "./request-token.ts";

/** `authenticate` lets a person through who approved before; `authorize` always asks. */
export type ConsentMode = "authenticate" | "authorize";

interface Pending {
  readonly app: App;
  readonly token: RequestToken;
}

/** Step 2: the page where a person signs in and approves, or the way straight back. */
export function showConsent(call: Call, mode: ConsentMode): Answer {
  const params = parametersOf(call);
  const pending = pendingOf(call, params);
  if (!("token" in pending)) return pending;
  const { app, token } = pending;
  const visitor = askedVisitor(call, params);
  const silent =
    mode === "authenticate" &&
    app.signIn &&
    token.callback !== OUT_OF_BAND &&
    visitor !== undefined &&
    hasApproved(call.sandbox, app.id, visitor.user.id, token.level);
  return silent ? approve(call.sandbox, token, visitor.user) : ask(call, pending, params);
}

/** The form of that page. */
export function takeConsent(call: Call): Answer {
  const params = parametersOf(call);
  const pending = pendingOf(call, params);
  if (!("token" in pending)) return pending;
  const decision = decide(call, params);
  switch (decision.kind) {
    case "refused":
      return refuse(call.sandbox, pending.token);
    case "granted":
      return approve(call.sandbox, pending.token, decision.user, decision.cookie);
    case "again":
      return ask(call, pending, params, decision);
  }
}

/** The log-in that a page is about, or the page that says why there is none. */
function pendingOf({ sandbox }: Call, params: URLSearchParams): Pending | Answer {
  const { world, time } = sandbox;
  const token = requestTokens.in(world).get(params.get("oauth_token") ?? "");
  const app = token === undefined ? undefined : apps.in(world).get(token.appId);
  if (token === undefined || app === undefined || token.verifier !== undefined) {
    return notice(
      "There is no log-in to approve",
      "The request token of this page is missing, unknown or was used before. Go back to the app and start again.",
      BASIS,
      400,
    );
  }
  if (isOver(token.createdAt, REQUEST_TOKEN_MS, time.now())) {
    return notice(
      "This log-in took too long",
      "The request token of this page has expired. Go back to the app and start again.",
      BASIS,
      400,
    );
  }
  if (!app.suspended && app.oauth1) return { app, token };
  return notice(
    "This app cannot sign you in",
    app.suspended ? `${app.name} has been suspended.` : `${app.name} has OAuth 1.0a turned off.`,
    BASIS,
    403,
  );
}

function ask(
  call: Call,
  { app, token }: Pending,
  params: URLSearchParams,
  again?: { readonly fault: string; readonly status: number },
): Answer {
  const forced = params.get("force_login");
  const other = new URLSearchParams({ oauth_token: token.token, force_login: "true" });
  return consentPage({
    app,
    permissions: permissionsOfLevel(token.level, app.email),
    visitor: askedVisitor(call, params),
    username: params.get("username") ?? params.get("screen_name") ?? "",
    ...again,
    action: call.path,
    hidden: [
      ["oauth_token", token.token],
      ...(forced === null ? [] : [["force_login", forced] as const]),
    ],
    switchUrl: `${call.path}?${other.toString()}`,
    basis: BASIS,
  });
}
