import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../log.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import { isChallengeQuery } from "./challenge.ts";
import { rawBodyOf } from "./read-body.ts";
import { comeAgain, refuse } from "./responses.ts";
import { signatureIn } from "./signature.ts";

/**
 * Answers the platform's requests to the webhook inside an HTTP server of your own: works as express middleware and as
 * a request handler of `node:http`. Requests to other paths go to `next`, or get a 404 without `next`.
 */
export interface WebhookRouter {
  (request: IncomingMessage, response: ServerResponse, next?: () => void): void;
}

/** Webhook that a router serves. */
export interface RoutedWebhook {
  /** Path of the webhook's public URL. */
  readonly path: string;
  readonly receive: (request: IncomingMessage, response: ServerResponse) => void;
  readonly log: Log;
}

/** Functions that connect a router to a running webhook, and disconnect it. */
export interface RouterSwitch {
  readonly open: (webhook: RoutedWebhook) => void;
  /** Makes the router answer the platform with 503 again, so that the platform repeats its deliveries. */
  readonly close: () => void;
}

type Route = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const switches = new WeakMap<WebhookRouter, RouterSwitch>();

/** Creates a router that answers the platform with 503 until a runtime opens it. */
export function closedRouter(): WebhookRouter {
  let route: Route = closed;
  const router: WebhookRouter = (
    request,
    response,
    next = () => refuse(response, 404, "nothing is here"),
  ) => route(request, response, next);
  switches.set(router, {
    open: (webhook) => void (route = routeTo(webhook)),
    close: () => void (route = closed),
  });
  return router;
}

/** Returns the open and close functions of a router. @throws {TypeError} if {@link closedRouter} did not create it. */
export function switchOf(router: WebhookRouter): RouterSwitch {
  const routerSwitch = switches.get(router);
  if (routerSwitch === undefined)
    throw new TypeError("webhook has to be a result of webhookRouter()");
  return routerSwitch;
}

/** Answers the platform's requests with 503 on every path, because only a runtime knows the webhook's path. */
const closed: Route = (request, response, next) => {
  const { query } = addressOf(request);
  const isOfPlatform =
    signatureIn(request) !== undefined || (request.method === "GET" && isChallengeQuery(query));
  if (isOfPlatform) comeAgain(response, "the bot is not running");
  else next();
};

const BODY_IS_READ =
  "the body was read before the bot could check the signature over its bytes: " +
  "mount webhookRouter before express.json() and other body parsers";

/** Returns the route that lets the receiver answer requests to the webhook's path, and passes other requests on. */
export function routeTo({ path, receive, log }: RoutedWebhook): Route {
  // Strangers can cause this error at will, so its log lines are throttled.
  const tell = throttle<string>(LOG_EVERY_MS, (at, times) =>
    log.error({ path: at, times }, BODY_IS_READ),
  );
  const ownPath = normalisedPath(path);
  return (request, response, next) => {
    const requestedPath = addressOf(request).path;
    if (requestedPath !== path && normalisedPath(requestedPath) !== ownPath) return next();
    const isBodyGone = request.readableDidRead && rawBodyOf(request) === undefined;
    if (request.method !== "POST" || !isBodyGone) return receive(request, response);
    tell(path);
    refuse(response, 500, BODY_IS_READ);
  };
}

/**
 * Decodes the letters, digits and `-._~` of a path, as RFC 3986, section 6.2.2, allows, and removes one slash at its
 * end, which proxies add.
 */
function normalisedPath(path: string): string {
  const decoded = path.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
  return decoded.replace(/(?<=[^/])\/$/, "");
}

/**
 * Returns path and query as sent. Express removes the path at which a router is mounted from `url`. Some proxies send a
 * whole URL, which a server has to accept (RFC 9112, section 3.2.2).
 */
function addressOf(request: IncomingMessage): { readonly path: string; readonly query: string } {
  const original: unknown = "originalUrl" in request ? request.originalUrl : undefined;
  const target = typeof original === "string" ? original : (request.url ?? "/");
  const url = target.replace(/^https?:\/\/[^/?]*\/?/i, "/");
  const at = url.indexOf("?");
  return at === -1
    ? { path: url, query: "" }
    : { path: url.slice(0, at), query: url.slice(at + 1) };
}
