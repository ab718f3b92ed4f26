import type { AccessLevel, Scope } from "../../interface/access.ts";
import type { Dialect } from "../../interface/dialects.ts";
import type { Caller } from "../auth/caller.ts";
import type { Body } from "./body.ts";
import type { RouteLimits } from "./limits.ts";
import type { Sandbox } from "./sandbox.ts";
import type { AnyTable } from "./table.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * How a request may prove who sent it.
 *
 * `oauth1` and `oauth2` speak for a user, `bearer` for the app alone, `signed` is an OAuth 1.0a
 * signature by an app without a user (log-in steps), `basic` an app's key and secret, `control`
 * the sandbox's own token.
 */
export type AuthKind = "oauth1" | "oauth2" | "bearer" | "signed" | "basic" | "control";

/** One request as a handler sees it: canonical words, proven caller. */
export interface Call {
  readonly sandbox: Sandbox;
  readonly method: Method;
  /** Path as sent, without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** Query with names and list values in the post dialect. */
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly caller: Caller;
  /** What the answer is spelled in. */
  readonly dialect: Dialect;
}

/** What a handler answers. JSON unless `text` or `html` stands there. */
export interface Answer {
  /** 200 unless said. */
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly html?: string;
  /** JSON text in parts, for an answer that may be longer than the longest string. */
  readonly parts?: Iterable<string>;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Keeps the connection open and gives the writer the stream; returns what ends it. */
  readonly stream?: (write: (text: string) => void) => () => void;
}

/** One endpoint, as data. Paths are in the post dialect; `tweets` and its like work of themselves. */
export interface Route {
  readonly method: Method;
  /** `:name` matches one segment. */
  readonly path: string;
  /** Any of these; none means that anybody may call. */
  readonly auth: readonly AuthKind[];
  /** Least level of an OAuth 1.0a caller; `read` unless said. */
  readonly level?: AccessLevel;
  /** All needed of an OAuth 2.0 user token. */
  readonly scopes?: readonly Scope[];
  readonly limits?: RouteLimits;
  readonly handle: (call: Call) => Answer | Promise<Answer>;
}

/** How true a behaviour is: the interface says so, public material suggests it, or we are stricter. */
export type Fidelity =
  | { readonly fidelity: "documented"; readonly section: string; readonly note?: string }
  | { readonly fidelity: "assumed" | "stricter"; readonly note: string };

/** A row of the fidelity ledger: an endpoint, or a behaviour that no one endpoint owns. */
export type LedgerRow = Fidelity &
  ({ readonly method: Method; readonly path: string } | { readonly behaviour: string });

/** One folder of the platform. */
export interface Area {
  readonly name: string;
  readonly tables: readonly AnyTable[];
  readonly routes: readonly Route[];
  readonly ledger: readonly LedgerRow[];
  /** Plans due work from what the world holds: at start, after a reset and a restore. */
  readonly arm?: (sandbox: Sandbox) => void;
}
