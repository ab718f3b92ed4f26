import type { ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { stringify } from "lossless-json";
import { messageOf } from "../../../system/error-message.ts";
import { ApiError, errorBody } from "./api-error.ts";
import { toDialect } from "./dialect.ts";
import type { RequestState, ServerContext } from "./prepare-call.ts";
import type { RouteResponse } from "./route.ts";

/** Of every response: what is no page runs nothing and is shown in nobody's frame. Pages say more themselves. */
export const GUARDING_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Bytes that may wait for a caller who does not read a stream. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

export function writeResponse(
  response: ServerResponse,
  result: RouteResponse,
  state: RequestState,
): void {
  if (response.destroyed) return;
  response.statusCode = result.status ?? 200;
  for (const [name, value] of Object.entries({ ...state.headers, ...result.headers })) {
    response.setHeader(name, value);
  }
  if (result.status === 204) response.end();
  else if (result.stream !== undefined) stream(response, result.stream);
  else if (result.parts !== undefined) {
    response.setHeader("content-type", JSON_TYPE);
    // A caller that goes away ends the pipe; there is nobody left to answer.
    pipeline(Readable.from(result.parts), response, () => undefined);
  } else if (result.html !== undefined) send(response, result.html, "text/html; charset=utf-8");
  else if (result.text !== undefined) {
    const kind = result.status === undefined ? "html" : "plain";
    send(response, result.text, `text/${kind}; charset=utf-8`);
  } else {
    const body = result.body ?? {};
    send(response, toJson(body, state), JSON_TYPE);
  }
}

/** Version 1.1 has ids as numbers with all their digits, which are bigints here. */
function toJson(body: unknown, { style, dialect }: RequestState): string {
  if (style === "v1") return stringify(body) ?? "null";
  return JSON.stringify(style === "v2" ? toDialect(body, dialect) : body);
}

const JSON_TYPE = "application/json; charset=utf-8";

function stream(response: ServerResponse, begin: NonNullable<RouteResponse["stream"]>): void {
  response.setHeader("content-type", "text/event-stream");
  response.setHeader("cache-control", "no-cache");
  response.flushHeaders();
  const end = begin(
    (text) =>
      new Promise((resolve) => {
        if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
        if (response.destroyed) resolve();
        else response.write(text, () => resolve());
      }),
  );
  response.once("close", end);
}

/** @param type Used unless the response has a content type already. */
function send(response: ServerResponse, text: string, type: string): void {
  if (!response.hasHeader("content-type")) response.setHeader("content-type", type);
  response.setHeader("content-length", Buffer.byteLength(text));
  response.end(text);
}

export function writeError(
  response: ServerResponse,
  error: unknown,
  state: RequestState,
  { sandbox }: ServerContext,
): void {
  if (response.headersSent || response.destroyed) return;
  const { spec } = apiErrorOf(error, sandbox.feed);
  response.statusCode = spec.status;
  for (const [name, value] of Object.entries({ ...state.headers, ...spec.headers })) {
    response.setHeader(name, value);
  }
  const body = errorBody(spec, state.style, sandbox.baseUrl);
  if (typeof body === "string") send(response, body, "text/plain; charset=utf-8");
  else send(response, JSON.stringify(body), JSON_TYPE);
}

/** The error as it is answered; one that nobody meant is in the feed, too. */
export function apiErrorOf(error: unknown, feed: ServerContext["sandbox"]["feed"]): ApiError {
  if (error instanceof ApiError) return error;
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
