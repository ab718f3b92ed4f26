import type { Express, Request, Response } from "express";
import * as z from "zod";
import { constantTimeEqual } from "../system/constant-time-equal.ts";
import { packageVersion } from "../system/package-version.ts";
import type { ConsoleAppNeeds } from "./console-app-needs.ts";
import { type ConsoleOptions, partsOf } from "./console-needs.ts";
import type { SessionAnswer } from "./operations/session.ts";
import { PAGES, pagesWith } from "./pages.ts";
import { commanding, originOf, readJson, signedIn } from "./sign-in/guard.ts";
import type { Redeemed } from "./sign-in/invitations.ts";
import { refuse } from "./sign-in/refuse.ts";
import type { ConsoleRole, Session } from "./sign-in/sessions.ts";
import { SIGN_IN_HEADERS, signedInPage, signInPage } from "./sign-in/sign-in-page.ts";

/** Adds the routes for signing in and out, for the session, and for becoming an operator. */
export function serveSessions(app: Express, needs: ConsoleAppNeeds): void {
  const { sessions } = needs;
  app.get("/sign-in", (request, response) => {
    response.set(SIGN_IN_HEADERS).send(signInPage(pathFor(needs, request.query["to"])));
  });
  app.get("/_console/proof", (request, response) => {
    const { id, nonce } = proofRequest.parse(request.query);
    response.set("cache-control", "no-store").json({ proof: sessions.prove(id, nonce) });
  });
  app.get(
    "/_console/session",
    signedIn(sessions, (_request, response, session) => {
      response.set("cache-control", "no-store").json(sessionAnswer(needs, session));
    }),
  );
  app.post(
    "/_console/unlock",
    readJson,
    commanding(
      sessions,
      (request, response, session) => unlock(needs, request, response, session),
      "reader",
    ),
  );
  app.post(
    "/_console/sign-out",
    commanding(
      sessions,
      async (_request, response, { id }) => {
        response.json({ ended: await sessions.end(id) });
      },
      "reader",
    ),
  );
}

/** Returns the path of the first page that the console can show. */
export function homeOf(needs: ConsoleOptions): string {
  return (pagesWith(partsOf(needs))[0] ?? PAGES[0]).path;
}

const REFUSALS: Readonly<Record<Exclude<Redeemed, ConsoleRole>, string>> = {
  void: "This code can't be used: it was used before, has expired, or was mistyped.",
  "too-many": "Too many wrong codes were entered. Try again in a minute.",
};

/**
 * Exchanges the code or token of an invitation for a session. Codes are accepted only from the console's own page.
 * Tokens are also accepted from a sign-in file, whose origin is `null`.
 */
export async function signIn(
  needs: ConsoleAppNeeds,
  request: Request,
  response: Response,
): Promise<void> {
  const { token, code = "", to } = signInRequest.parse(request.body);
  const { origin, host = "" } = request.headers;
  const isOwnPage = origin === originOf(request);
  if (!isOwnPage && (origin !== "null" || token === undefined)) {
    return refuse(response, 403, "forbidden", "another site's page may not sign in");
  }
  const { invitations, sessions } = needs;
  const redeemed =
    token === undefined ? invitations.redeemCode(code) : invitations.redeemToken(token);
  const path = pathFor(needs, to);
  response.set(SIGN_IN_HEADERS);
  if (redeemed === "void" || redeemed === "too-many") {
    const status = redeemed === "void" ? 401 : 429;
    response.status(status).send(signInPage(path, REFUSALS[redeemed]));
    return;
  }
  const browser = (request.get("user-agent") ?? "").slice(0, MAX_USER_AGENT);
  response.send(signedInPage(await sessions.begin(redeemed, { host, browser }), path));
}

const MAX_USER_AGENT = 200;
const proofRequest = z.strictObject({ id: z.string().max(100), nonce: z.string().max(100) });
const signInRequest = z.object({
  token: z.string().exactOptional(),
  code: z.string().exactOptional(),
  to: z.string().exactOptional(),
});

/** Returns the address of a page of the console. For any other address, returns the first page's address. */
function pathFor(needs: ConsoleOptions, to: unknown): string {
  const url =
    typeof to === "string" && URL.canParse(to, BASE) ? new URL(to, BASE) : new URL("/", BASE);
  const isPage = PAGES.some(
    ({ path }) => url.pathname === path || url.pathname.startsWith(`${path}/`),
  );
  return url.origin === BASE && isPage ? `${url.pathname}${url.search}` : homeOf(needs);
}

const BASE = "http://console.invalid";

/** Gives a session the role operator if the request contains the admin token. */
async function unlock(
  { adminToken, sessions }: ConsoleAppNeeds,
  request: Request,
  response: Response,
  session: Session,
): Promise<void> {
  const { token } = z.strictObject({ token: z.string() }).parse(request.body);
  if (adminToken === undefined || !constantTimeEqual(token, adminToken)) {
    const why =
      adminToken === undefined
        ? "the settings have no console.admin_token"
        : "that is not the admin token";
    return refuse(response, 403, "wrong-token", why);
  }
  const promoted = await sessions.promote(session);
  if (promoted === undefined) return refuse(response, 401, "signed-out", "the session has ended");
  response.set("cache-control", "no-store").json({ role: "operator", ...promoted });
}

function sessionAnswer(needs: ConsoleAppNeeds, session: Session): SessionAnswer {
  const { runtime, sandbox, adminToken } = needs;
  return {
    id: session.id,
    role: session.role,
    canUnlock: session.role === "reader" && adminToken !== undefined,
    version: packageVersion(),
    target: runtime?.target ?? "sandbox",
    hasRuntime: runtime !== undefined,
    ...(sandbox !== undefined &&
      session.role === "operator" && {
        sandbox: {
          baseUrl: sandbox.baseUrl,
          adsUrl: sandbox.adsUrl,
          ...(sandbox.app && { appId: sandbox.app.id }),
          ...(sandbox.bot && { bot: sandbox.bot }),
        },
      }),
  };
}
