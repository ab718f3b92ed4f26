import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { listen } from "../../../system/listen.ts";
import { messageOf } from "../../../system/error-message.ts";
import { readRaw } from "./body.ts";
import { toDialect } from "./dialect.ts";
import {
  type IncomingRequest,
  type ServerContext,
  prepareCall,
  styleOf,
  type RequestState,
} from "./prepare-call.ts";
import type { InjectedFault } from "../delivery/faults.ts";
import { ApiError, errorBody } from "./api-error.ts";
import type { RouteResponse } from "./route.ts";

/** How long a fault of type `timeout` holds a request, unless it says otherwise. */
const TIMEOUT_FAULT_MS = 60_000;

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
  const server = createServer((request, response) => {
    void serve(request, response, context);
  });
  await listen(server, port, host);
  return server;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): Promise<void> {
  const started = performance.now();
  const target = address(request);
  const state: RequestState = {
    style: styleOf(target.path),
    headers: {},
    dialect: "post",
    caller: { kind: "anonymous" },
  };
  try {
    const raw = await readRaw(request, state.style === "control");
    const incoming = {
      ...target,
      method: request.method ?? "GET",
      headers: headersOf(request),
      raw,
    };
    const result = await respond(incoming, state, context, response);
    if (result !== undefined) writeResponse(response, result, state);
  } catch (error) {
    writeError(response, error, state, context);
  }
  if (state.style === "control") return;
  context.sandbox.feed.publish("request", {
    method: request.method,
    path: target.path,
    status: response.statusCode,
    ms: Math.round(performance.now() - started),
    ...("app" in state.caller ? { app_id: state.caller.app.id } : {}),
    ...("user" in state.caller ? { user_id: state.caller.user.id } : {}),
  });
}

/** The response, or nothing where a fault closed the connection. */
async function respond(
  incoming: IncomingRequest,
  state: RequestState,
  context: ServerContext,
  response: ServerResponse,
): Promise<RouteResponse | undefined> {
  const { route, call } = await prepareCall(incoming, state, context);
  if (state.fault !== undefined && (await applyFault(state.fault, response))) return undefined;
  let result = await route.handle(call);
  if (state.fault?.type === "duplicate") {
    for (let count = 1; count < (state.fault.n ?? 2); count += 1) result = await route.handle(call);
  }
  if (state.fault?.type !== "cut_after") return result;
  response.destroy();
  return undefined;
}

/** Does what a fault does before the handler runs. True when it closed the connection. */
async function applyFault(fault: InjectedFault, response: ServerResponse): Promise<boolean> {
  switch (fault.type) {
    case "drop":
    case "cut":
      response.destroy();
      return true;
    case "timeout":
      await wait(fault.ms ?? TIMEOUT_FAULT_MS, response);
      response.destroy();
      return true;
    case "delay":
    case "reorder":
      await wait(fault.ms ?? 1_000, response);
      return false;
    case "status":
      throw new ApiError({
        status: fault.status ?? 503,
        code: "fault",
        message: "A fault of the sandbox answered this request.",
        title: "Service Unavailable",
        v1: 130,
        ads: "SERVICE_UNAVAILABLE",
      });
    case "duplicate":
    case "cut_after":
    case "limit":
    case "skew":
      return false;
  }
}

/** Waits `ms` of real time, or until the caller is gone. */
function wait(ms: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    response.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
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

function writeResponse(response: ServerResponse, result: RouteResponse, state: RequestState): void {
  if (response.destroyed) return;
  response.statusCode = result.status ?? 200;
  for (const [name, value] of Object.entries({ ...state.headers, ...result.headers })) {
    response.setHeader(name, value);
  }
  if (result.status === 204) response.end();
  else if (result.stream !== undefined) {
    response.setHeader("content-type", "text/event-stream");
    response.setHeader("cache-control", "no-cache");
    response.flushHeaders();
    const end = result.stream((text) => response.write(text));
    response.once("close", end);
  } else if (result.parts !== undefined) {
    response.setHeader("content-type", JSON_TYPE);
    // A caller that goes away ends the pipe; there is nobody left to answer.
    pipeline(Readable.from(result.parts), response, () => undefined);
  } else if (result.html !== undefined) send(response, result.html, "text/html; charset=utf-8");
  else if (result.text !== undefined) {
    const kind = result.status === undefined ? "html" : "plain";
    send(response, result.text, `text/${kind}; charset=utf-8`);
  } else {
    const body = result.body ?? {};
    send(
      response,
      JSON.stringify(state.style === "v2" ? toDialect(body, state.dialect) : body),
      JSON_TYPE,
    );
  }
}

const JSON_TYPE = "application/json; charset=utf-8";

/** @param type Used unless the response has a content type already. */
function send(response: ServerResponse, text: string, type: string): void {
  if (!response.hasHeader("content-type")) response.setHeader("content-type", type);
  response.setHeader("content-length", Buffer.byteLength(text));
  response.end(text);
}

function writeError(
  response: ServerResponse,
  error: unknown,
  state: RequestState,
  { sandbox }: ServerContext,
): void {
  if (response.headersSent || response.destroyed) return;
  const { spec } = error instanceof ApiError ? error : internalError(error, sandbox.feed);
  response.statusCode = spec.status;
  for (const [name, value] of Object.entries({ ...state.headers, ...spec.headers })) {
    response.setHeader(name, value);
  }
  const body = errorBody(spec, state.style, sandbox.baseUrl);
  if (typeof body === "string") send(response, body, "text/plain; charset=utf-8");
  else send(response, JSON.stringify(body), JSON_TYPE);
}

function internalError(error: unknown, feed: ServerContext["sandbox"]["feed"]): ApiError {
  const message = messageOf(error);
  feed.publish("fault", { message, stack: error instanceof Error ? error.stack : undefined });
  return new ApiError({
    status: 500,
    code: "internal_error",
    message: `The sandbox has a bug: ${message}`,
    title: "Internal Server Error",
    v1: 131,
    ads: "INTERNAL_ERROR",
  });
}
