import { type AppRow, apps } from "../../model/apps.ts";
import { hasApproved } from "../../apps/grants.ts";
import type { RouteResponse, RouteCall } from "../../server/route.ts";
import { type RequestTokenRow, requestTokens } from "../../model/login.ts";
import { consentPage } from "../pages/consent-page.ts";
import {
  type ConsentFault,
  currentVisitor,
  peopleToContinueAs,
  readDecision,
} from "../pages/consent-decision.ts";
import { isExpired, REQUEST_TOKEN_MS } from "../lifetimes.ts";
import { notice } from "../pages/page.ts";
import { parametersOf } from "../parameters.ts";
import { permissionsOfLevel } from "../pages/permissions.ts";
import { approve, OAUTH1_BASIS, deny } from "./approval.ts";
import { OUT_OF_BAND } from "./request-token.ts";

/** `authenticate` skips the page for a person who approved before; `authorize` always shows it. */
export type ConsentMode = "authenticate" | "authorize";

interface PendingLogin {
  readonly app: AppRow;
  readonly token: RequestTokenRow;
}

/** Handles step 2 of the log-in: shows the page where a person signs in and approves, or redirects back at once. */
export function showConsent(call: RouteCall, mode: ConsentMode): RouteResponse {
  const params = parametersOf(call);
  const pending = findPendingLogin(call, params);
  if (!("token" in pending)) return pending;
  const { app, token } = pending;
  const visitor = currentVisitor(call, params);
  const silent =
    mode === "authenticate" &&
    app.signIn &&
    token.callback !== OUT_OF_BAND &&
    visitor !== undefined &&
    hasApproved(call.sandbox, app.id, visitor.user.id, token.level);
  return silent ? approve(call.sandbox, token, visitor.user) : renderConsent(call, pending, params);
}

/** Handles the form of the consent page. */
export function submitConsent(call: RouteCall): RouteResponse {
  const params = parametersOf(call);
  const pending = findPendingLogin(call, params);
  if (!("token" in pending)) return pending;
  const decision = readDecision(call, params);
  switch (decision.kind) {
    case "refused":
      return deny(call.sandbox, pending.token);
    case "granted":
      return approve(call.sandbox, pending.token, decision.user, decision.cookie);
    case "again":
      return renderConsent(call, pending, params, decision);
  }
}

/** Finds the pending log-in of a page; returns an error page if there is none. */
function findPendingLogin(
  { sandbox }: RouteCall,
  params: URLSearchParams,
): PendingLogin | RouteResponse {
  const { world, time } = sandbox;
  const token = requestTokens.in(world).get(params.get("oauth_token") ?? "");
  const app = token === undefined ? undefined : apps.in(world).get(token.appId);
  if (token === undefined || app === undefined || token.verifier !== undefined) {
    return notice(
      "Nothing to approve here",
      "The request token of this page is missing, unknown or was used before. Go back to the app and start again.",
      OAUTH1_BASIS,
      400,
    );
  }
  if (isExpired(token.createdAt, REQUEST_TOKEN_MS, time.now())) {
    return notice(
      "This log-in took too long",
      "The request token of this page has expired. Go back to the app and start again.",
      OAUTH1_BASIS,
      400,
    );
  }
  if (!app.suspended && app.oauth1) return { app, token };
  return notice(
    "This app cannot sign you in",
    app.suspended ? `${app.name} has been suspended.` : `${app.name} has OAuth 1.0a turned off.`,
    OAUTH1_BASIS,
    403,
  );
}

function renderConsent(
  call: RouteCall,
  { app, token }: PendingLogin,
  params: URLSearchParams,
  again?: ConsentFault,
): RouteResponse {
  const forced = params.get("force_login");
  const other = new URLSearchParams({ oauth_token: token.token, force_login: "true" });
  return consentPage({
    app,
    permissions: permissionsOfLevel(token.level, app.email),
    visitor: currentVisitor(call, params),
    people: peopleToContinueAs(call, params),
    username: params.get("username") ?? params.get("screen_name") ?? "",
    ...again,
    action: call.path,
    hidden: [
      ["oauth_token", token.token],
      ...(forced === null ? [] : [["force_login", forced] as const]),
    ],
    switchUrl: `${call.path}?${other.toString()}`,
    basis: OAUTH1_BASIS,
  });
}
