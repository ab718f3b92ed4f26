import { randomBytes } from "node:crypto";
import express, { type ErrorRequestHandler, type Request, type Response } from "express";
import * as z from "zod";
import { ControlError } from "../sandbox/control/connection.ts";
import { messageOf } from "../system/error-message.ts";
import { packageVersion } from "../system/package-version.ts";
import { type PageAsset, pageAssets } from "./assets/page-assets.ts";
import { policy, shell } from "./assets/shell.ts";
import type { ConsoleAppNeeds } from "./console-app-needs.ts";
import { serveOperations } from "./operation-routes.ts";
import { OperationError } from "./operations/operation.ts";
import { PAGES } from "./pages.ts";
import { homeOf, serveSessions, signIn } from "./session-routes.ts";
import { ownHostOnly, ownPagesOnly } from "./sign-in/guard.ts";
import { refuse } from "./sign-in/refuse.ts";

/** Creates the web server of the console: its pages, operations and event stream. */
export function consoleApp(needs: ConsoleAppNeeds): express.Express {
  const app = express().disable("x-powered-by");
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
  // A sign-in file, a local HTML file that submits a form, has no origin. So this route checks the origin itself.
  app.post("/sign-in", express.urlencoded({ extended: false, limit: "4kb" }), (request, response) =>
    signIn(needs, request, response),
  );
  app.use(ownPagesOnly);
  serveSessions(app, needs);
  serveOperations(app, needs);
  servePages(app, needs);
  app.use((request, response) => {
    refuse(response, 404, "not-found", `nothing at ${request.method} ${request.path}`);
  });
  app.use(errorAnswers(needs));
  return app;
}

function servePages(app: express.Express, needs: ConsoleAppNeeds): void {
  app.get("/_console/assets/:name", sendAsset);
  app.get("/", (_request, response) => response.redirect(303, homeOf(needs)));
  for (const { path } of PAGES) {
    // The HTML document contains no data: its script requests all data with the session's token.
    app.get([path, `${path}/{*rest}`], (_request, response) => {
      const nonce = randomBytes(16).toString("base64");
      response.set({ "content-security-policy": policy(nonce), "cache-control": "no-store" });
      response.type("html").send(shell(nonce, packageVersion()));
    });
  }
}

/** Creates the handler for failed requests. Express recognises an error handler by its four parameters. */
function errorAnswers({ log, mask }: ConsoleAppNeeds): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (response.headersSent) return void response.destroy();
    if (error instanceof z.ZodError) {
      return refuse(response, 400, "invalid-request", z.prettifyError(error));
    }
    const text = mask?.text(messageOf(error)) ?? messageOf(error);
    if (error instanceof OperationError) return refuse(response, error.status, "refused", text);
    if (error instanceof ControlError) return refuse(response, error.status, error.code, text);
    if (error instanceof SyntaxError) return refuse(response, 400, "invalid-request", text);
    // Errors of the body parser: body too large, cut off, or in an unknown encoding.
    const { status } = Object(error) as { readonly status?: unknown };
    if (typeof status === "number" && status >= 400 && status < 500) {
      return refuse(response, status, "invalid-request", text);
    }
    log.error({ err: error, path: request.path }, "the console could not answer a request");
    refuse(response, 500, "failed", text);
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
