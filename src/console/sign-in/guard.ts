import type { NextFunction, Request, RequestHandler, Response } from "express";
import { jsonBody } from "../../system/json-body.ts";
import { isNestedDeeper } from "../../text/json-depth.ts";
import { refuse } from "./refuse.ts";
import type { Session, Sessions } from "./sessions.ts";

/** Refuses requests with a foreign host name: a web page could resolve its own name to this machine (DNS rebinding). */
export const ownHostOnly: RequestHandler = ({ headers }, response, next) => {
  if (/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(headers.host ?? "")) return next();
  refuse(response, 403, "forbidden", "the console is opened as 127.0.0.1 or localhost");
};

/** Refuses requests from pages of other origins, except for links that a person follows. */
export const ownPagesOnly: RequestHandler = (request, response, next) => {
  const { origin } = request.headers;
  const site = request.get("sec-fetch-site") ?? "none";
  const isVisit = request.method === "GET" && request.get("sec-fetch-mode") === "navigate";
  const isOwnOrigin = origin === undefined || origin === originOf(request);
  if (isOwnOrigin && (site === "none" || site === "same-origin" || isVisit)) return next();
  refuse(response, 403, "forbidden", "another site's page may not ask the console");
};

/** Returns the console's origin, from the request's `host` header. */
export function originOf({ headers }: Request): string {
  return `http://${headers.host ?? ""}`;
}

/** Handler of a request with a valid session. */
export type SignedInHandler = (
  request: Request,
  response: Response,
  session: Session,
) => void | Promise<void>;

/**
 * Passes requests with a valid session to `handle`, and refuses others. The token is in the header `authorization`,
 * never in a cookie.
 */
export function signedIn(sessions: Sessions, handle: SignedInHandler) {
  return async (request: Request, response: Response, _next?: NextFunction): Promise<void> => {
    const [, token] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "") ?? [];
    const session = sessions.read(token, request.headers.host);
    if (session !== undefined) return handle(request, response, session);
    refuse(response, 401, "signed-out", "sign in to the console by: answerback open");
  };
}

/**
 * Passes commands to `handle` that the console's own page sends. Requires an operator, unless `role` allows readers.
 */
export function commanding(
  sessions: Sessions,
  handle: SignedInHandler,
  role: Session["role"] = "operator",
) {
  return signedIn(sessions, (request, response, session) => {
    if (request.headers.origin === undefined) {
      return refuse(response, 403, "forbidden", "a command needs the header Origin");
    }
    return (role === "operator" ? operatorsOnly(handle) : handle)(request, response, session);
  });
}

/** Passes requests of operators to `handle`, and refuses others. */
export function operatorsOnly(handle: SignedInHandler): SignedInHandler {
  return (request, response, session) => {
    if (session.role === "operator") return handle(request, response, session);
    readOnly(response);
  };
}

/** Refuses a request that needs an operator. */
export function readOnly(response: Response): void {
  refuse(response, 403, "read-only", "this needs the admin token: unlock the console");
}

/** Maximum depth of nesting in a JSON body. A deeper body could overflow the stack of recursive functions. */
const MAX_DEPTH = 100;

function refuseDeep(_request: unknown, _response: unknown, body: Buffer): void {
  if (!isNestedDeeper(body.toString("utf8"), MAX_DEPTH)) return;
  throw Object.assign(new Error(`the body is nested deeper than ${MAX_DEPTH}`), { status: 400 });
}

/** Parses the JSON body of a request. */
export const readJson = jsonBody({ limit: "4mb", verify: refuseDeep });
