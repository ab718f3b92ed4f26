import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { readRaw } from "./body.ts";
import { speak } from "./dialect.ts";
import { type Arrival, type Door, receive, styleOf, type Turn } from "./exchange.ts";
import type { Fault } from "./faults.ts";
import { Refusal, refusalBody } from "./refusal.ts";
import type { Answer } from "./route.ts";

/** How long a request is held that a fault lets time out, unless the fault says. */
const HELD_MS = 60_000;

/**
 * The platform's HTTP server, listening.
 *
 * Every request gets an answer: what a handler did not expect is told as 500 and in the feed.
 */
export function listen(door: Door, port: number, host: string): Promise<Server> {
  // Node's own server: a web framework would be a third of what a start costs, for one handler.
  const server = createServer((request, response) => {
    void serve(request, response, door);
  });
  return new Promise((resolve, reject) => {
    server.once("listening", () => resolve(server));
    server.once("error", reject);
    server.listen(port, host);
  });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  door: Door,
): Promise<void> {
  const arrived = performance.now();
  const at = address(request);
  const turn: Turn = {
    style: styleOf(at.path),
    headers: {},
    dialect: "post",
    caller: { kind: "nobody" },
  };
  try {
    const raw = await readRaw(request, turn.style === "control");
    const arrival = { ...at, method: request.method ?? "GET", headers: plain(request), raw };
    const reply = await exchange(arrival, turn, door, response);
    if (reply !== undefined) write(response, reply, turn);
  } catch (error) {
    refuse(response, error, turn, door);
  }
  if (turn.style === "control") return;
  door.sandbox.feed.tell("request", {
    method: request.method,
    path: at.path,
    status: response.statusCode,
    ms: Math.round(performance.now() - arrived),
    ...("app" in turn.caller ? { app_id: turn.caller.app.id } : {}),
    ...("user" in turn.caller ? { user_id: turn.caller.user.id } : {}),
  });
}

/** The answer, or nothing where a fault closed the connection. */
async function exchange(
  arrival: Arrival,
  turn: Turn,
  door: Door,
  response: ServerResponse,
): Promise<Answer | undefined> {
  const { route, call } = await receive(arrival, turn, door);
  if (turn.fault !== undefined && (await before(turn.fault, response))) return undefined;
  let reply = await route.handle(call);
  if (turn.fault?.type === "duplicate") {
    for (let count = 1; count < (turn.fault.n ?? 2); count += 1) reply = await route.handle(call);
  }
  if (turn.fault?.type !== "cut_after") return reply;
  response.destroy();
  return undefined;
}

/** Does what a fault does ahead of the work. True when it closed the connection. */
async function before(fault: Fault, response: ServerResponse): Promise<boolean> {
  switch (fault.type) {
    case "drop":
    case "cut":
      response.destroy();
      return true;
    case "timeout":
      await wait(fault.ms ?? HELD_MS, response);
      response.destroy();
      return true;
    case "delay":
    case "reorder":
      await wait(fault.ms ?? 1_000, response);
      return false;
    case "status":
      throw new Refusal({
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

function plain(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}

function write(response: ServerResponse, reply: Answer, turn: Turn): void {
  if (response.destroyed) return;
  response.statusCode = reply.status ?? 200;
  for (const [name, value] of Object.entries({ ...turn.headers, ...reply.headers })) {
    response.setHeader(name, value);
  }
  if (reply.status === 204) response.end();
  else if (reply.stream !== undefined) {
    response.setHeader("content-type", "text/event-stream");
    response.setHeader("cache-control", "no-cache");
    response.flushHeaders();
    const end = reply.stream((text) => response.write(text));
    response.once("close", end);
  } else if (reply.parts !== undefined) {
    response.setHeader("content-type", JSON_TYPE);
    // A caller that goes away ends the pipe; there is nobody left to tell.
    pipeline(Readable.from(reply.parts), response, () => undefined);
  } else if (reply.html !== undefined) send(response, reply.html, "text/html; charset=utf-8");
  else if (reply.text !== undefined) {
    const kind = reply.status === undefined ? "html" : "plain";
    send(response, reply.text, `text/${kind}; charset=utf-8`);
  } else {
    const body = reply.body ?? {};
    send(
      response,
      JSON.stringify(turn.style === "v2" ? speak(body, turn.dialect) : body),
      JSON_TYPE,
    );
  }
}

const JSON_TYPE = "application/json; charset=utf-8";

/** @param type Stands unless the answer has one of its own. */
function send(response: ServerResponse, text: string, type: string): void {
  if (!response.hasHeader("content-type")) response.setHeader("content-type", type);
  response.setHeader("content-length", Buffer.byteLength(text));
  response.end(text);
}

function refuse(response: ServerResponse, error: unknown, turn: Turn, { sandbox }: Door): void {
  if (response.headersSent || response.destroyed) return;
  const refusal = error instanceof Refusal ? error : unexpected(error, sandbox.feed);
  const { spec } = refusal;
  response.statusCode = spec.status;
  for (const [name, value] of Object.entries({ ...turn.headers, ...spec.headers })) {
    response.setHeader(name, value);
  }
  const body = refusalBody(spec, turn.style, sandbox.baseUrl);
  if (typeof body === "string") send(response, body, "text/plain; charset=utf-8");
  else send(response, JSON.stringify(body), JSON_TYPE);
}

function unexpected(error: unknown, feed: Door["sandbox"]["feed"]): Refusal {
  const message = error instanceof Error ? error.message : String(error);
  feed.tell("fault", { message, stack: error instanceof Error ? error.stack : undefined });
  return new Refusal({
    status: 500,
    code: "internal_error",
    message: `The sandbox has a bug: ${message}`,
    title: "Internal Server Error",
    v1: 131,
    ads: "INTERNAL_ERROR",
  });
}
