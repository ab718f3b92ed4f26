import type { Answer, Call } from "../kernel/route.ts";
import { type AuthorizeRequest, authorizeRequest, sendBack } from "./authorize-request.ts";
import { consentPage } from "./consent-page.ts";
import { askedVisitor, decide } from "./decision.ts";
import { authorizationCodes } from "./entities.ts";
import { CODE_MS, sweep } from "./lifetimes.ts";
import { parametersOf } from "./parameters.ts";
import { permissionsOfScopes } from "./permissions.ts";
import { redirect, withQuery } from "./redirect.ts";

const BASIS =
  "Documented: redirect_uri and state (OAuth 2.0 authorization). The rest follows the live service.";

/** The page of the code flow. It always asks. @throws {Refusal} 400 where it cannot redirect. */
export function showAuthorize(call: Call): Answer {
  const params = parametersOf(call);
  const request = authorizeRequest(call.sandbox, params);
  return "scopes" in request ? ask(call, request, params) : request;
}

/** The form of that page. @throws {Refusal} as {@link showAuthorize}. */
export function takeAuthorize(call: Call): Answer {
  const params = parametersOf(call);
  const request = authorizeRequest(call.sandbox, params);
  if (!("scopes" in request)) return request;
  const decision = decide(call, params);
  if (decision.kind === "again") return ask(call, request, params, decision);
  const { redirectUri, state } = request;
  if (decision.kind === "refused") {
    return sendBack(redirectUri, state, "access_denied", "The person did not authorize the app.");
  }
  const { world, time } = call.sandbox;
  sweep(world, authorizationCodes, (row) => row.code, CODE_MS, time.now());
  const { code } = authorizationCodes.in(world).put({
    code: world.random.letters(91),
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

const CARRIED = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "force_login",
];

function ask(
  call: Call,
  { app, scopes }: AuthorizeRequest,
  params: URLSearchParams,
  again?: { readonly fault: string; readonly status: number },
): Answer {
  const hidden = CARRIED.flatMap((name) => {
    const value = params.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const other = new URLSearchParams();
  for (const [name, value] of hidden) other.set(name, value);
  other.set("force_login", "true");
  return consentPage({
    app,
    permissions: permissionsOfScopes(scopes),
    visitor: askedVisitor(call, params),
    username: params.get("username") ?? "",
    ...again,
    action: call.path,
    hidden,
    switchUrl: `${call.path}?${other.toString()}`,
    basis: BASIS,
  });
}
