import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { listen } from "../../system/listen.ts";
import { faultMet, NOTHING_SENT } from "../kernel/delivery/exchange-log.ts";
import { countPosts, refuseAtPostCap } from "../model/post-usage.ts";
import {
  challengeFor,
  originOf,
  type ReadBody,
  type RequestHead,
  type ServerContext,
} from "./read-caller.ts";
import { prepareCall, type RequestState, styleOf } from "./prepare-call.ts";
import { httpServer, LINGER_MS } from "./http-server.ts";
import { applyFault } from "./request-faults.ts";
import type { Route, RouteCall, RouteResponse } from "./route.ts";
import { apiErrorOf, GUARDING_HEADERS, writeError, writeResponse } from "./write-response.ts";

/**
 * Starts the platform's HTTP server.
 *
 * Every request gets a response: an unexpected error becomes a 500 and an item of the feed.
 *
 * @param port 0 lets the system choose a free port.
 */
export async function startServer(
  context: ServerContext,
  port: number,
  host: string,
): Promise<Server> {
  const server = httpServer((request, response) => void serve(request, response, context));
  await listen(server, port, host);
  return server;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): Promise<void> {
  const started = performance.now();
  const head = headOf(request);
  const state = stateOf(head, false, context);
  let raw: Buffer = Buffer.alloc(0);
  let release = (): void => {};
  const readBody: ReadBody = async (rules) => {
    ({ raw, release } = await context.bodies.read(request, rules));
    return raw;
  };
  try {
    let result: RouteResponse | undefined;
    try {
      result = await respond(head, readBody, state, context, response);
    } finally {
      if (state.fault?.type === "duplicate") await repeat(head, raw, state.fault.n ?? 2, context);
      // Persists before answering, so that a kill can't undo what a client has seen.
      await context.sandbox.keep();
    }
    state.headers["date"] = dateBy(context);
    if (result !== undefined) writeResponse(response, result, state);
  } catch (error) {
    state.headers["date"] = dateBy(context);
    writeError(response, error, state, context);
  } finally {
    release();
    if (!request.complete) cutLater(request);
  }
  publish(
    context,
    { ...head, raw },
    state,
    response.headersSent ? response.statusCode : 0,
    started,
  );
}

/** Returns the response, or nothing if a fault closed the connection. */
async function respond(
  head: RequestHead,
  readBody: ReadBody,
  state: RequestState,
  context: ServerContext,
  response: ServerResponse,
): Promise<RouteResponse | undefined> {
  const { route, call } = await prepareCall(head, readBody, state, context);
  if (state.fault !== undefined && (await applyFault(state.fault, response))) return undefined;
  const result = await callHandler(route, call);
  if (state.fault?.type !== "cut_after") return result;
  response.destroy();
  return undefined;
}

/**
 * Processes the same bytes again, like a network that duplicates them, with the same signature and nonce.
 *
 * The caller gets only the first response. The results of the repeated requests are in the feed.
 */
async function repeat(
  head: RequestHead,
  raw: Buffer,
  times: number,
  context: ServerContext,
): Promise<void> {
  for (let count = 1; count < times; count += 1) {
    const started = performance.now();
    const state = stateOf(head, true, context);
    let status: number;
    try {
      const { route, call } = await prepareCall(head, async () => raw, state, context);
      status = (await callHandler(route, call)).status ?? 200;
    } catch (error) {
      ({ status } = apiErrorOf(error, context.sandbox.feed).spec);
    }
    publish(context, { ...head, raw }, state, status, started);
  }
}

/** Returns the `Date` header by the sandbox's clock: clients learn the platform's time from it. */
function dateBy({ sandbox }: ServerContext): string {
  return new Date(sandbox.time.now()).toUTCString();
}

function stateOf(head: RequestHead, repeated: boolean, { sandbox }: ServerContext): RequestState {
  const origin = originOf(head, sandbox.baseUrl);
  return {
    style: styleOf(head.path),
    origin,
    challenge: challengeFor(head, origin),
    headers: { ...GUARDING_HEADERS },
    dialect: "post",
    caller: { kind: "anonymous" },
    repeated,
  };
}

/** Logs a request and publishes it to the feed. Requests to the control interface are left out. */
function publish(
  { sandbox }: ServerContext,
  { method, path, query, headers, raw }: RequestHead & { readonly raw: Buffer },
  { style, caller, repeated, sent, fault }: RequestState,
  status: number,
  started: number,
): void {
  if (style === "control") return;
  const who = {
    ...("app" in caller ? { app_id: caller.app.id } : {}),
    ...("user" in caller ? { user_id: caller.user.id } : {}),
  };
  const ms = Math.round(performance.now() - started);
  const exchange = sandbox.exchanges.add({
    at: sandbox.time.now(),
    direction: "request",
    method,
    url: path,
    query,
    status,
    ms,
    request: { headers, body: raw },
    response: sent ?? NOTHING_SENT,
    about: { ...who, ...faultMet(fault) },
  });
  sandbox.feed.publish("request", {
    method,
    path: path.length > SHOWN_PATH ? copyOf(path.slice(0, SHOWN_PATH)) : path,
    status,
    ms,
    ...(repeated ? { repeated } : {}),
    ...who,
    exchange,
  });
}

/** Maximum number of characters of a path in the feed: any caller can send long paths, any number of times. */
const SHOWN_PATH = 500;

/** Copies a text: a slice would keep the whole text in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** Disconnects a caller that keeps sending a body after the response. */
function cutLater(request: IncomingMessage): void {
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
  timer.unref();
  request.once("close", () => clearTimeout(timer));
}

function headOf(request: IncomingMessage): RequestHead {
  return { ...address(request), method: request.method ?? "GET", headers: headersOf(request) };
}

/** Returns path and query; a request to the ads host gets its path under `/ads`. */
function address(request: IncomingMessage): { path: string; query: string } {
  const [path = "/", ...rest] = (request.url ?? "/").split("?");
  const ads = /^ads-api\./i.test(request.headers.host ?? "") && !path.startsWith("/ads/");
  return { path: ads ? `/ads${path}` : path, query: rest.join("?") };
}

function headersOf(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}

/**
 * Calls the handler of a route. Counts the posts in the response towards the app's monthly cap.
 *
 * @throws {ApiError} 429 if the route reads posts and the cap is reached.
 */
async function callHandler(route: Route, call: RouteCall): Promise<RouteResponse> {
  const { sandbox, caller } = call;
  if (route.readsPosts !== true || !("app" in caller)) return route.handle(call);
  refuseAtPostCap(sandbox, caller.app);
  const response = await route.handle(call);
  countPosts(sandbox, caller.app, postsIn(response));
  return response;
}

/** Counts the posts of a response: one object, a list, or nothing. Posts in `includes` do not count. */
function postsIn({ body }: RouteResponse): number {
  const { data }: { data?: unknown } = Object(body);
  if (Array.isArray(data)) return data.length;
  return data === undefined ? 0 : 1;
}
