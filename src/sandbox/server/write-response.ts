import type { ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { stringify } from "lossless-json";
import { messageOf } from "../../system/error-message.ts";
import { ApiError, errorBody } from "../kernel/http/api-error.ts";
import { toDialect } from "../kernel/http/dialect.ts";
import type { ServerContext } from "./read-caller.ts";
import type { RequestState } from "./prepare-call.ts";
import type { RouteResponse } from "./route.ts";

/** Headers of every response: only pages may run scripts, and no site may frame a response. Pages add more headers. */
export const GUARDING_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Maximum number of bytes that may wait for a slow reader of a stream. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

export function writeResponse(
  response: ServerResponse,
  result: RouteResponse,
  state: RequestState,
): void {
  if (response.destroyed) return;
  const status = result.status ?? 200;
  const headers = { ...state.headers, ...result.headers };
  state.sent = { headers, body: "" };
  if (status === 204) response.writeHead(status, headers).end();
  else if (result.stream !== undefined) {
    stream(response.writeHead(status, { ...STREAM_HEADERS, ...headers }), result.stream);
  } else if (result.parts !== undefined) {
    response.writeHead(status, { ...headers, "content-type": JSON_TYPE });
    // The callback ignores errors: a caller that has disconnected could not receive an error response.
    pipeline(Readable.from(result.parts), response, () => undefined);
  } else if (result.bytes !== undefined) {
    response.writeHead(status, { ...headers, "content-length": result.bytes.length });
    response.end(result.bytes);
  } else if (result.html !== undefined) {
    send(
      response,
      state,
      status,
      { "content-type": "text/html; charset=utf-8", ...headers },
      result.html,
    );
  } else if (result.text !== undefined) {
    const kind = result.status === undefined ? "html" : "plain";
    const type = { "content-type": `text/${kind}; charset=utf-8` };
    send(response, state, status, { ...type, ...headers }, result.text);
  } else {
    const body = toJson(result.body ?? {}, state);
    send(response, state, status, { "content-type": JSON_TYPE, ...headers }, body);
  }
}

/** Serializes a body. Ids of version 1.1 are bigints here, to be written as numbers with all digits. */
function toJson(body: unknown, { style, dialect }: RequestState): string {
  if (style === "v1") return stringify(body) ?? "null";
  return JSON.stringify(style === "v2" ? toDialect(body, dialect) : body);
}

const JSON_TYPE = "application/json; charset=utf-8";
const STREAM_HEADERS = { "content-type": "text/event-stream", "cache-control": "no-cache" };

/** Writes a stream as server-sent events, unless the handler sets another content type. */
function stream(response: ServerResponse, begin: NonNullable<RouteResponse["stream"]>): void {
  // A HEAD request gets the headers only.
  if (response.req.method === "HEAD") return void response.end();
  response.flushHeaders();
  const onGone = begin({
    write: (text) =>
      new Promise((resolve) => {
        if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
        if (response.destroyed) resolve();
        else response.write(text, () => resolve());
      }),
    close: (how) => void (how === "end" ? response.end() : response.destroy()),
  });
  response.once("close", onGone);
}

type Headers = Readonly<Record<string, string | string[]>>;

function send(
  response: ServerResponse,
  state: RequestState,
  status: number,
  headers: Headers,
  text: string,
): void {
  state.sent = { headers, body: text };
  // Sets all headers at once: Node checks headers that are set one by one a second time when they are written.
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) }).end(text);
}

export function writeError(
  response: ServerResponse,
  error: unknown,
  state: RequestState,
  { sandbox }: ServerContext,
): void {
  if (response.headersSent || response.destroyed) return;
  const { spec } = apiErrorOf(error, sandbox.feed);
  const challenge = spec.status === 401 ? { "www-authenticate": state.challenge } : {};
  const headers = { ...state.headers, ...challenge, ...spec.headers };
  const body = errorBody(spec, state.style, state.origin);
  const isText = typeof body === "string";
  const type = { "content-type": isText ? "text/plain; charset=utf-8" : JSON_TYPE };
  send(response, state, spec.status, { ...type, ...headers }, isText ? body : JSON.stringify(body));
}

/**
 * Converts a thrown value to the error of a response. An unexpected error becomes a 500 and is published to the feed.
 */
export function apiErrorOf(error: unknown, feed: ServerContext["sandbox"]["feed"]): ApiError {
  if (error instanceof ApiError) return error;
  const message = messageOf(error);
  feed.publish("fault", { message, stack: error instanceof Error ? error.stack : undefined });
  return ApiError.internal("internal_error", `The sandbox has a bug: ${message}`);
}
