import type { NextFunction, Request, RequestHandler, Response } from "express";
import { constantTimeEqual } from "../../system/constant-time-equal.ts";
import { refuse } from "./refuse.ts";
import type { Session, Sessions } from "./sessions.ts";

/** Header that carries a session's command token. */
export const COMMAND_HEADER = "x-console-token";

/** Lets nobody in who was led here by a name of their own, and no page but the console's own. */
export const ownPagesOnly: RequestHandler = (request, response, next) => {
  const { host = "", origin } = request.headers;
  // A web page that has its own name lead here would come with that name.
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host)) {
    return refuse(response, 403, "forbidden", "the console is opened as 127.0.0.1 or localhost");
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    return refuse(response, 403, "forbidden", "another site's page may not ask the console");
  }
  const site = request.get("sec-fetch-site") ?? "none";
  const isVisit = request.method === "GET" && request.get("sec-fetch-mode") === "navigate";
  if (site !== "none" && site !== "same-origin" && !isVisit) {
    return refuse(response, 403, "forbidden", "another site's page may not ask the console");
  }
  next();
};

/** A request of somebody who is signed in. */
export type SignedInHandler = (
  request: Request,
  response: Response,
  session: Session,
) => void | Promise<void>;

/** Lets only who is signed in through. @param cookieName Under which the browser keeps the session. */
export function signedIn(sessions: Sessions, cookieName: string, handle: SignedInHandler) {
  return async (request: Request, response: Response, _next?: NextFunction): Promise<void> => {
    const session = sessions.read(cookieOf(request, cookieName));
    if (session !== undefined) return handle(request, response, session);
    refuse(response, 401, "signed-out", `open the console by the link of: answerback open`);
  };
}

/** Lets only commands of the session's own page through, of who may change things unless `role` says less. */
export function commanding(
  sessions: Sessions,
  cookieName: string,
  handle: SignedInHandler,
  role: Session["role"] = "operator",
) {
  return signedIn(sessions, cookieName, (request, response, session) => {
    if (request.headers.origin === undefined) {
      return refuse(response, 403, "forbidden", "a command needs the header Origin");
    }
    const token = request.get(COMMAND_HEADER) ?? "";
    if (!constantTimeEqual(token, sessions.commandToken(session))) {
      return refuse(response, 403, "old-token", `${COMMAND_HEADER}: not this session's token`);
    }
    return (role === "operator" ? operatorsOnly(handle) : handle)(request, response, session);
  });
}

/** Lets only who may change things through. */
export function operatorsOnly(handle: SignedInHandler): SignedInHandler {
  return (request, response, session) => {
    if (session.role === "operator") return handle(request, response, session);
    readOnly(response);
  };
}

/** Refuses a reader's request that only an operator may make. */
export function readOnly(response: Response): void {
  refuse(response, 403, "read-only", "this needs the admin token: unlock the console");
}

/** A cookie's text; undefined where it was not sent. */
export function cookieOf({ headers }: Request, name: string): string | undefined {
  for (const pair of (headers.cookie ?? "").split(";")) {
    const [key, ...rest] = pair.trim().split("=");
    if (key === name) return rest.join("=");
  }
  return undefined;
}
