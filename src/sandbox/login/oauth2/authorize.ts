import type { RouteResponse, RouteCall } from "../../server/route.ts";
import { authorizationCodes } from "../../model/login.ts";
import { consentPage } from "../pages/consent-page.ts";
import {
  type ConsentFault,
  currentVisitor,
  peopleToContinueAs,
  readDecision,
} from "../pages/consent-decision.ts";
import { CODE_MS, deleteExpired } from "../lifetimes.ts";
import { parametersOf } from "../parameters.ts";
import { permissionsOfScopes } from "../pages/permissions.ts";
import { redirect, withQuery } from "../pages/redirect.ts";
import { type AuthorizeRequest, authorizeRequest, sendBack } from "./authorize-request.ts";

const BASIS =
  "Documented: redirect_uri and state (OAuth 2.0 authorization). The rest follows the live service.";

/**
 * Shows the consent page of the code flow, even after an earlier approval.
 *
 * @throws {ApiError} 400 or 403 if app or redirect URI are invalid.
 */
export function showAuthorize(call: RouteCall): RouteResponse {
  const params = parametersOf(call);
  const request = authorizeRequest(call.sandbox, params);
  return "scopes" in request ? renderConsent(call, request, params) : request;
}

/** Handles the form of the consent page. @throws {ApiError} as {@link showAuthorize}. */
export function submitAuthorize(call: RouteCall): RouteResponse {
  const params = parametersOf(call);
  const request = authorizeRequest(call.sandbox, params);
  if (!("scopes" in request)) return request;
  const decision = readDecision(call, params);
  if (decision.kind === "again") return renderConsent(call, request, params, decision);
  const { redirectUri, state } = request;
  if (decision.kind === "refused") {
    return sendBack(redirectUri, state, "access_denied", "The person did not authorize the app.");
  }
  const { world, time } = call.sandbox;
  deleteExpired(world, authorizationCodes, (row) => row.code, CODE_MS, time.now());
  const { code } = authorizationCodes.in(world).put({
    code: world.random.alphanumeric(91),
    appId: request.app.id,
    userId: decision.user.id,
    redirectUri,
    scopes: [...request.scopes],
    scope: request.scope,
    challenge: request.challenge,
    method: request.method,
    createdAt: time.now(),
  });
  const query = { ...(state === undefined ? {} : { state }), code };
  return redirect(withQuery(redirectUri, query), decision.cookie);
}

const FORM_PARAMETERS = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "force_login",
];

function renderConsent(
  call: RouteCall,
  { app, scopes }: AuthorizeRequest,
  params: URLSearchParams,
  again?: ConsentFault,
): RouteResponse {
  const hidden = FORM_PARAMETERS.flatMap((name) => {
    const value = params.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const other = new URLSearchParams();
  for (const [name, value] of hidden) other.set(name, value);
  other.set("force_login", "true");
  return consentPage({
    app,
    permissions: permissionsOfScopes(scopes),
    visitor: currentVisitor(call, params),
    people: peopleToContinueAs(call, params),
    username: params.get("username") ?? "",
    ...again,
    action: call.path,
    hidden,
    switchUrl: `${call.path}?${other.toString()}`,
    basis: BASIS,
  });
}
