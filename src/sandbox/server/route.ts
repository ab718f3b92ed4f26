import type { Dialect } from "../../protocol/dialects.ts";
import type { RequestCaller, RouteAccess } from "../auth/caller.ts";
import type { AreaOf, RouteFacts } from "../kernel/area.ts";
import type { StreamPipe } from "../kernel/delivery/open-stream.ts";
import type { Method } from "../kernel/http/method.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import type { RequestBody } from "./body.ts";

/** One request as a handler gets it: canonical words, authenticated caller. */
export interface RouteCall {
  readonly sandbox: Sandbox;
  readonly method: Method;
  /** Path as sent, without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** Query with names and list values in the post dialect. */
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
  readonly caller: RequestCaller;
  /** The dialect of the response. */
  readonly dialect: Dialect;
}

/** What a handler returns. JSON unless `text` or `html` is set. */
export interface RouteResponse {
  /** 200 by default. */
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly html?: string;
  /** JSON text in parts, for a response that may be longer than the longest string. */
  readonly parts?: Iterable<string>;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Keeps the connection open and gives it to the handler; returns what is called when the caller is gone. */
  readonly stream?: (pipe: StreamPipe) => () => void;
}

/** One endpoint, as data. Paths are in the post dialect; those of the tweet dialect work by themselves. */
export interface Route extends RouteAccess, RouteFacts {
  /** What its body may hold; 1 MiB and 10,000 JSON values unless said. */
  readonly body?: { readonly maxBytes: number; readonly maxValues?: number };
  readonly handle: (call: RouteCall) => RouteResponse | Promise<RouteResponse>;
}

/** One folder of the platform, with routes that the server can call. */
export type Area = AreaOf<Route>;
