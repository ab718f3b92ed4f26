import type { Dialect } from "../../protocol/dialects.ts";
import type { RequestCaller, RouteAccess } from "../auth/caller.ts";
import type { AreaOf, RouteFacts } from "../kernel/area.ts";
import type { StreamPipe } from "../kernel/delivery/open-stream.ts";
import type { Method } from "../kernel/http/method.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import type { RequestBody } from "./body.ts";

/** Request as a handler gets it: with an authenticated caller, and `post` in names in place of `tweet`. */
export interface RouteCall {
  readonly sandbox: Sandbox;
  readonly method: Method;
  /** Path as the client sent it, without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** Query in which the names, and the values of field lists, use `post` instead of `tweet`. */
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
  readonly caller: RequestCaller;
  /** Whether the response uses `tweet` or `post` in its names. */
  readonly dialect: Dialect;
  /** Origin that the client used. `type` URLs of problems begin with this origin. */
  readonly origin: string;
}

/** Response of a handler. JSON unless `text`, `html` or `bytes` is set. */
export interface RouteResponse {
  /** HTTP status, 200 by default. */
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly html?: string;
  /** Bytes of a medium; `headers` contain their type. */
  readonly bytes?: Buffer;
  /** JSON text in parts, for a response that may exceed the maximum length of a string. */
  readonly parts?: Iterable<string>;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Starts a stream on the open connection. The server calls the returned function when the caller disconnects. */
  readonly stream?: (pipe: StreamPipe) => () => void;
}

/** Description of an endpoint. Its path contains `posts`; the router also accepts `tweets` in its place. */
export interface Route extends RouteAccess, RouteFacts {
  /** Limits of the body; by default 1 MiB and 10,000 JSON values. */
  readonly body?: { readonly maxBytes: number; readonly maxValues?: number };
  /** Whether the posts in the response count towards the monthly post cap. Streams count the posts that they send. */
  readonly readsPosts?: true;
  readonly handle: (call: RouteCall) => RouteResponse | Promise<RouteResponse>;
}

/** A folder that serves one part of the platform, with routes that the server can call. */
export type Area = AreaOf<Route>;
