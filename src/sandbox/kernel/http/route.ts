import type { AccessLevel, OAuthScope } from "../../../protocol/access.ts";
import type { Dialect } from "../../../protocol/dialects.ts";
import type { RequestCaller } from "../../auth/caller.ts";
import type { Fidelity } from "../ledger.ts";
import type { Sandbox } from "../sandbox.ts";
import type { RequestBody } from "./body.ts";
import type { Method } from "./method.ts";
import type { RouteLimits } from "./rate-limiter.ts";

/**
 * How a request may authenticate.
 *
 * `oauth1` and `oauth2` act for a user, `bearer` for the app alone, `signed` is an OAuth 1.0a
 * signature by an app without a user (log-in steps), `basic` an app's key and secret, `control`
 * the sandbox's own token.
 */
export type AuthKind = "oauth1" | "oauth2" | "bearer" | "signed" | "basic" | "control";

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

/** A response that stays open. */
export interface StreamPipe {
  /** Resolves once the text has left this process, or the caller is gone. */
  readonly write: (text: string) => Promise<void>;
  /** Ends the response, or breaks the connection. */
  readonly close: (how: "end" | "cut") => void;
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
export interface Route {
  readonly method: Method;
  /** `:name` matches one segment. */
  readonly path: string;
  /** Any of these; an empty list means that anybody may call. */
  readonly auth: readonly AuthKind[];
  /** Least level of an OAuth 1.0a caller; `read` by default. */
  readonly level?: AccessLevel;
  /** All needed of an OAuth 2.0 user token. */
  readonly scopes?: readonly OAuthScope[];
  readonly limits?: RouteLimits;
  /** What its body may hold; 1 MiB and 10,000 JSON values unless said. */
  readonly body?: { readonly maxBytes: number; readonly maxValues?: number };
  /** What the fidelity ledger says of it: `documented(section)`, `assumed(note)` or `stricter(note)`. */
  readonly ledger: Fidelity;
  readonly handle: (call: RouteCall) => RouteResponse | Promise<RouteResponse>;
}
