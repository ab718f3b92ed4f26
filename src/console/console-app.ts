import { randomBytes } from "node:crypto";
import express, { type NextFunction, type Request, type Response } from "express";
import * as z from "zod";
import { ControlError } from "../sandbox/control/connection.ts";
import { constantTimeEqual } from "../system/constant-time-equal.ts";
import { messageOf } from "../system/error-message.ts";
import { isNestedDeeper } from "../text/json-depth.ts";
import { packageVersion } from "../system/package-version.ts";
import { type PageAsset, pageAssets } from "./assets/page-assets.ts";
import { policy, shell } from "./assets/shell.ts";
import type { LiveStream } from "./live/live-stream.ts";
import { type AnyOperation, OperationError } from "./operations/operation.ts";
import { COMMANDS, QUESTIONS } from "./operations/operations.ts";
import { mayDo } from "./operations/rights.ts";
import type { SessionAnswer } from "./operations/session.ts";
import { PAGES, pagesWith } from "./pages.ts";
import { sandboxProxy } from "./sandbox-proxy.ts";
import { type ConsoleOptions, partsOf } from "./console-needs.ts";
import {
  commanding,
  operatorsOnly,
  originOf,
  ownHostOnly,
  ownPagesOnly,
  readOnly,
  signedIn,
} from "./sign-in/guard.ts";
import type { Invitations, Redeemed } from "./sign-in/invitations.ts";
import { refuse } from "./sign-in/refuse.ts";
import type { ConsoleRole, Session, Sessions } from "./sign-in/sessions.ts";
import { SIGN_IN_HEADERS, signedInPage, signInPage } from "./sign-in/sign-in-page.ts";

export interface ConsoleAppNeeds extends ConsoleOptions {
  readonly sessions: Sessions;
  readonly invitations: Invitations;
  readonly live: LiveStream;
}

/** Everything that the console serves: its pages, what they ask for, and what they have done. */
export function consoleApp(needs: ConsoleAppNeeds): express.Express {
  const { sessions, live, log, mask, sandbox } = needs;
  const app = express().disable("x-powered-by");
  const onlyIn = signedIn.bind(undefined, sessions);
  app.use((_request, response, next) => {
    response.set({
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    next();
  });
  app.use(ownHostOnly);
  // A sign-in file posts its token from no origin, so this route judges origins itself.
  app.post("/sign-in", express.urlencoded({ extended: false, limit: "4kb" }), (request, response) =>
    signIn(needs, request, response),
  );
  app.use(ownPagesOnly);
  app.get("/sign-in", (request, response) => {
    response.set(SIGN_IN_HEADERS).send(signInPage(pathFor(needs, request.query["to"])));
  });
  app.get("/_console/assets/:name", sendAsset);
  app.get("/_console/proof", (request, response) => {
    const { id, nonce } = proofRequest.parse(request.query);
    response.set("cache-control", "no-store").json({ proof: sessions.prove(id, nonce) });
  });
  app.get(
    "/_console/session",
    onlyIn((_request, response, session) => {
      response.set("cache-control", "no-store").json(sessionAnswer(needs, session));
    }),
  );
  app.get(
    "/_console/events",
    onlyIn((request, response, session) => {
      response.on(
        "close",
        sessions.onEnd(session, () => response.destroy()),
      );
      live.answer(request, response, session);
    }),
  );
  const readJson = express.json({ limit: "4mb", verify: refuseDeep });
  // What is asked may be longer than an address.
  app.post(
    "/_console/ask/:name",
    readJson,
    commanding(
      sessions,
      (request, response, session) =>
        answer(QUESTIONS, request.body ?? {}, shownTo(session, needs), request, response, session),
      "reader",
    ),
  );
  app.get(
    "/_console/ask/:name",
    onlyIn(async (request, response, session) => {
      const given: unknown = JSON.parse(queryText(request, "with") ?? "{}");
      await answer(QUESTIONS, given, shownTo(session, needs), request, response, session);
    }),
  );
  app.post(
    "/_console/do/:name",
    readJson,
    commanding(sessions, (request, response, session) =>
      answer(COMMANDS, request.body ?? {}, needs, request, response, session),
    ),
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
  if (sandbox !== undefined) {
    const passOn = sandboxProxy(sandbox);
    // It shows private messages and tokens: reading it takes an operator, too.
    app.get("/_console/sandbox/{*path}", onlyIn(operatorsOnly(passOn)));
    app.all("/_console/sandbox/{*path}", commanding(sessions, passOn));
  }
  app.get("/", (_request, response) => response.redirect(303, homeOf(needs)));
  for (const { path } of PAGES) {
    // The document has nothing in it: its program asks for everything, with the session's token.
    app.get([path, `${path}/{*rest}`], (_request, response) => {
      const nonce = randomBytes(16).toString("base64");
      response.set({ "content-security-policy": policy(nonce), "cache-control": "no-store" });
      response.type("html").send(shell(nonce, packageVersion()));
    });
  }
  app.use((request, response) => {
    refuse(response, 404, "not-found", `nothing at ${request.method} ${request.path}`);
  });
  // Express knows an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    if (response.headersSent) return void response.destroy();
    if (error instanceof z.ZodError) {
      return refuse(response, 400, "invalid-request", z.prettifyError(error));
    }
    const text = mask?.text(messageOf(error)) ?? messageOf(error);
    if (error instanceof OperationError) return refuse(response, error.status, "refused", text);
    if (error instanceof ControlError) return refuse(response, error.status, error.code, text);
    if (error instanceof SyntaxError) return refuse(response, 400, "invalid-request", text);
    // Of the reader of bodies: too large, cut off, of an unknown encoding.
    const { status } = Object(error) as { readonly status?: unknown };
    if (typeof status === "number" && status >= 400 && status < 500) {
      return refuse(response, status, "invalid-request", text);
    }
    log.error({ err: error, path: request.path }, "the console could not answer");
    refuse(response, 500, "failed", text);
  });
  return app;
}

/** The sandbox shows private messages and tokens: no question of a reader is answered from it. */
function shownTo({ role }: Session, needs: ConsoleAppNeeds): ConsoleAppNeeds {
  const { sandbox, ...others } = needs;
  return role === "operator" || sandbox === undefined ? needs : others;
}

async function answer(
  table: Readonly<Record<string, AnyOperation>>,
  given: unknown,
  needs: ConsoleAppNeeds,
  request: Request,
  response: Response,
  { role }: Session,
): Promise<void> {
  const name = String(request.params["name"]);
  const one = Object.hasOwn(table, name) ? table[name] : undefined;
  if (one === undefined) throw new OperationError(`there is no operation ${name}`, 404);
  const checked: unknown = one.request.parse(given);
  if (!mayDo(role, name, checked)) return readOnly(response);
  const text = JSON.stringify((await one.answer(needs as never, checked as never)) ?? null);
  response
    .set("cache-control", "no-store")
    .type("json")
    .send(needs.mask?.text(text) ?? text);
}

/** Levels of a request: what is nested deeper overflows the stack of whatever goes through it. */
const MAX_DEPTH = 100;

function refuseDeep(_request: unknown, _response: unknown, body: Buffer): void {
  if (!isNestedDeeper(body.toString("utf8"), MAX_DEPTH)) return;
  throw Object.assign(new Error(`the body is nested deeper than ${MAX_DEPTH}`), { status: 400 });
}

function queryText({ query }: Request, name: string): string | undefined {
  const value = query[name];
  return typeof value === "string" ? value : undefined;
}

/** The first page that has something to show. */
function homeOf(needs: ConsoleOptions): string {
  return (pagesWith(partsOf(needs))[0] ?? PAGES[0]).path;
}

const REFUSALS: Readonly<Record<Exclude<Redeemed, ConsoleRole>, string>> = {
  void: "That does not sign in any more: it was used before, has expired, or was mistyped.",
  "too-many": "Too many wrong codes were entered. Try again in a minute.",
};

/** Exchanges an invitation for a session. Codes are taken from the console's own page only; tokens can't be guessed. */
async function signIn(needs: ConsoleAppNeeds, request: Request, response: Response): Promise<void> {
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

/** The address of a page of the console; that of the first page for any other address. */
function pathFor(needs: ConsoleOptions, to: unknown): string {
  const url =
    typeof to === "string" && URL.canParse(to, BASE) ? new URL(to, BASE) : new URL("/", BASE);
  const isPage = PAGES.some(
    ({ path }) => url.pathname === path || url.pathname.startsWith(`${path}/`),
  );
  return url.origin === BASE && isPage ? `${url.pathname}${url.search}` : homeOf(needs);
}

const BASE = "http://console.invalid";

/** Makes an operator of a reader who enters the admin token. */
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

const TYPES: Readonly<Record<string, string>> = { js: "text/javascript", css: "text/css" };

async function sendAsset(request: Request, response: Response): Promise<void> {
  const asset: PageAsset | undefined = (await pageAssets()).get(String(request.params["name"]));
  if (asset === undefined) return refuse(response, 404, "not-found", "the page has no such file");
  const type = TYPES[asset.name.split(".").at(-1) ?? ""];
  if (type === undefined) return refuse(response, 404, "not-found", "the page has no such file");
  response.set("cache-control", "no-cache").type(type).send(Buffer.from(asset.body));
}
