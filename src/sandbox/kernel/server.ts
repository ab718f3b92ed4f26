import type { Server } from "node:http";
import { pipeline, Readable } from "node:stream";
import express, { type Request, type Response } from "express";
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
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // Not handed to express as a promise: what goes wrong is answered here, never by its error page.
  app.use((request, response) => {
    void serve(request, response, door);
  });
  return new Promise((resolve, reject) => {
    const server = app.listen(port, host);
    server.once("listening", () => resolve(server));
    server.once("error", reject);
  });
}

async function serve(request: Request, response: Response, door: Door): Promise<void> {
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
    const arrival = { ...at, method: request.method, headers: plain(request), raw };
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
  response: Response,
): Promise<Answer | undefined> {
  const { route, call } = await receive(arrival, turn, door);
  if (turn.fault !== undefined && (await before(turn.fault, response))) return undefined;
  let reply = await route.handle(call);
  if (turn.fault?.type === "duplicate") reply = await route.handle(call);
  if (turn.fault?.type !== "cut_after") return reply;
  response.destroy();
  return undefined;
}

/** Does what a fault does ahead of the work. True when it closed the connection. */
async function before(fault: Fault, response: Response): Promise<boolean> {
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
function wait(ms: number, response: Response): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    response.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Path and query; a request to the ads host has its path under `/ads`. */
function address(request: Request): { path: string; query: string } {
  const [path = "/", ...rest] = request.url.split("?");
  const ads = /^ads-api\./i.test(request.headers.host ?? "") && !path.startsWith("/ads/");
  return { path: ads ? `/ads${path}` : path, query: rest.join("?") };
}

function plain(request: Request): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}

function write(response: Response, reply: Answer, turn: Turn): void {
  if (response.destroyed) return;
  response.status(reply.status ?? 200);
  for (const [name, value] of Object.entries({ ...turn.headers, ...reply.headers })) {
    response.setHeader(name, value);
  }
  if (reply.stream !== undefined) {
    response.setHeader("content-type", "text/event-stream");
    response.setHeader("cache-control", "no-cache");
    response.flushHeaders();
    const end = reply.stream((text) => response.write(text));
    response.once("close", end);
  } else if (reply.parts !== undefined) {
    response.setHeader("content-type", "application/json; charset=utf-8");
    // A caller that goes away ends the pipe; there is nobody left to tell.
    pipeline(Readable.from(reply.parts), response, () => undefined);
  } else if (reply.html !== undefined) response.type("html").send(reply.html);
  else if (reply.text !== undefined) {
    const type = reply.status === undefined ? "html" : "text";
    if (!response.hasHeader("content-type")) response.type(type);
    response.send(reply.text);
  } else
    response.json(turn.style === "v2" ? speak(reply.body ?? {}, turn.dialect) : (reply.body ?? {}));
}

function refuse(response: Response, error: unknown, turn: Turn, { sandbox }: Door): void {
  if (response.headersSent || response.destroyed) return;
  const refusal = error instanceof Refusal ? error : unexpected(error, sandbox.feed);
  const { spec } = refusal;
  response.status(spec.status);
  for (const [name, value] of Object.entries({ ...turn.headers, ...spec.headers })) {
    response.setHeader(name, value);
  }
  const body = refusalBody(spec, turn.style, sandbox.baseUrl);
  if (typeof body === "string") response.type("text").send(body);
  else response.json(body);
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
