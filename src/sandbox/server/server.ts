import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { listen } from "../../system/listen.ts";
import { faultMet, NOTHING_SENT } from "../kernel/delivery/exchange-log.ts";
import type { ReadBody, RequestHead, ServerContext } from "./read-caller.ts";
import { prepareCall, type RequestState, styleOf } from "./prepare-call.ts";
import { applyFault } from "./request-faults.ts";
import type { RouteResponse } from "./route.ts";
import { apiErrorOf, GUARDING_HEADERS, writeError, writeResponse } from "./write-response.ts";

/**
 * How long a connection on which nothing is asked is kept: longer than clients keep theirs, or a request
 * could be on its way when it is closed.
 */
const KEPT_MS = 75_000;
/** Real time for the lines before a body, and how often it is looked at. */
const HEADERS_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

/** How long a caller who was answered early may go on sending its body, which is dropped. */
const LINGER_MS = 5_000;

/**
 * Starts the platform's HTTP server.
 *
 * Every request gets a response: an unexpected error becomes a 500 and an item of the feed.
 *
 * @param port 0 lets the system choose a free one.
 */
export async function startServer(
  context: ServerContext,
  port: number,
  host: string,
): Promise<Server> {
  // Node's own server: a web framework would be a third of what a start costs, for one handler.
  const server = createServer(
    // The reader of a body has a deadline of its own, which grows with what has come.
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: 0,
      connectionsCheckingInterval: LOOK_EVERY_MS,
      keepAliveTimeout: KEPT_MS,
    },
    (request, response) => {
      void serve(request, response, context);
    },
  );
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
  const state = stateOf(head, false);
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
      // Nobody is told of what a kill could take back.
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

/** The response, or nothing where a fault closed the connection. */
async function respond(
  head: RequestHead,
  readBody: ReadBody,
  state: RequestState,
  context: ServerContext,
  response: ServerResponse,
): Promise<RouteResponse | undefined> {
  const { route, call } = await prepareCall(head, readBody, state, context);
  if (state.fault !== undefined && (await applyFault(state.fault, response))) return undefined;
  const result = await route.handle(call);
  if (state.fault?.type !== "cut_after") return result;
  response.destroy();
  return undefined;
}

/**
 * Has the same bytes arrive again, as from a network that duplicates them: with the same signature and nonce.
 *
 * The caller has one connection and reads the first response; what becomes of the others is in the feed.
 */
async function repeat(
  head: RequestHead,
  raw: Buffer,
  times: number,
  context: ServerContext,
): Promise<void> {
  for (let count = 1; count < times; count += 1) {
    const started = performance.now();
    const state = stateOf(head, true);
    let status: number;
    try {
      const { route, call } = await prepareCall(head, async () => raw, state, context);
      status = (await route.handle(call)).status ?? 200;
    } catch (error) {
      ({ status } = apiErrorOf(error, context.sandbox.feed).spec);
    }
    publish(context, { ...head, raw }, state, status, started);
  }
}

/** Value of the `Date` header, by the sandbox's clock: clients learn the platform's time from it. */
function dateBy({ sandbox }: ServerContext): string {
  return new Date(sandbox.time.now()).toUTCString();
}

function stateOf({ path }: RequestHead, repeated: boolean): RequestState {
  return {
    style: styleOf(path),
    headers: { ...GUARDING_HEADERS },
    dialect: "post",
    caller: { kind: "anonymous" },
    repeated,
  };
}

/** Puts a request into the feed; the sandbox's own interface is no part of what it shows. */
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

/** Characters of a path that the feed keeps: anybody can send long ones, any number of times. */
const SHOWN_PATH = 500;

/** A text of its own: a part of a text keeps the whole of it in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** Ends the connection of a caller who goes on sending what nobody reads. */
function cutLater(request: IncomingMessage): void {
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
  timer.unref();
  request.once("close", () => clearTimeout(timer));
}

function headOf(request: IncomingMessage): RequestHead {
  return { ...address(request), method: request.method ?? "GET", headers: headersOf(request) };
}

/** Path and query; a request to the ads host has its path under `/ads`. */
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
