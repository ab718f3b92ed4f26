import { authenticate } from "../auth/authenticate.ts";
import type { RequestCaller } from "../auth/caller.ts";
import type { Nonces } from "../auth/nonces.ts";
import { parseHeader } from "../auth/signature.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { apps } from "../model/apps.ts";
import { isForm, parseBody, type RequestBody } from "./body.ts";
import { type BodyReader, type BodyRules, ORDINARY_BYTES } from "./read-body.ts";
import type { Route } from "./route.ts";
import type { Router } from "./router.ts";

/** Services that serve every request. */
export interface ServerContext {
  readonly sandbox: Sandbox;
  readonly router: Router;
  readonly controlToken: string;
  readonly nonces: Nonces;
  readonly bodies: BodyReader;
}

/** A received request without its body. */
export interface RequestHead {
  readonly method: string;
  /** Path as sent, without the query; paths on the ads host are prefixed with `/ads`. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads the body of a request. @throws {ApiError} if it exceeds a limit. */
export type ReadBody = (rules: BodyRules) => Promise<Buffer>;

/** Empty body, in place of a body that is malformed or not read yet. */
const NO_BODY: RequestBody = { kind: "empty" };

/** Body limit before authentication, in bytes. */
const STRANGER_BYTES = 64 * 1024;

/** The caller of a request, and its body. */
export interface CallerAndBody {
  readonly caller: RequestCaller;
  readonly body: RequestBody;
  /** Error of a malformed body. It is reported only if authentication succeeds. */
  readonly malformed?: ApiError;
}

/**
 * Authenticates the caller of a request and reads its body.
 *
 * The caller is authenticated first, except if a form may hold the credentials or be signed.
 *
 * @param onCaller Called with the authenticated caller, even if reading the body fails afterwards.
 * @throws {ApiError} if authentication or reading fails.
 */
export async function callerAndBody(
  request: RequestHead,
  readBody: ReadBody,
  route: Pick<Route, "auth" | "body">,
  context: ServerContext,
  onCaller: (caller: RequestCaller) => void,
): Promise<CallerAndBody> {
  const { timeouts } = context.sandbox.settings;
  const control = route.auth.includes("control");
  const early = dependsOnForm(request, route)
    ? undefined
    : authenticateRequest(request, route, context);
  if (early !== undefined) onCaller(early);
  const maxBytes = route.body?.maxBytes ?? ORDINARY_BYTES;
  const isStranger =
    early === undefined ? !namesKnownApp(request, context) : early.kind === "anonymous";
  const raw = await readBody({
    maxBytes: isStranger ? Math.min(maxBytes, STRANGER_BYTES) : maxBytes,
    deadlineMs: timeouts.body_ms,
    counted: !control,
  });
  const parsed = await parse(raw, request, route);
  const caller = early ?? authenticateRequest(request, route, context, parsed.body);
  onCaller(caller);
  return { caller, ...parsed };
}

/** Returns whether authentication needs the fields of a form, which may hold the credentials or be signed. */
function dependsOnForm(request: RequestHead, { auth }: Pick<Route, "auth">): boolean {
  if (auth.length === 0 || auth.includes("control")) return false;
  const { authorization = "" } = request.headers;
  return isForm(contentType(request)) && !/^bearer\s/i.test(authorization);
}

/** Returns whether the `Authorization` header has an existing app's consumer key, which strangers do not know. */
function namesKnownApp({ headers }: RequestHead, { sandbox }: ServerContext): boolean {
  const key = new Map(parseHeader(headers["authorization"] ?? "")).get("oauth_consumer_key") ?? "";
  return apps.in(sandbox.world).first("consumerKey", key) !== undefined;
}

async function parse(
  raw: Buffer,
  request: RequestHead,
  route: Pick<Route, "body">,
): Promise<{ body: RequestBody; malformed?: ApiError }> {
  try {
    return { body: await parseBody(raw, contentType(request), route.body?.maxValues) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { body: NO_BODY, malformed: error };
  }
}

export function contentType({ headers }: RequestHead): string {
  return headers["content-type"] ?? "";
}

/** Authenticates the caller of a request by its headers, its query and a form. @throws {ApiError} 401 or 403. */
export function authenticateRequest(
  request: RequestHead,
  route: Pick<Route, "auth">,
  { sandbox, controlToken, nonces }: ServerContext,
  body: RequestBody = NO_BODY,
): RequestCaller {
  const authorization = request.headers["authorization"] ?? "";
  const host = request.headers["host"] ?? "";
  return authenticate(
    {
      method: request.method,
      path: request.path,
      origins: [sandbox.baseUrl, `http://${host}`, `https://${host}`],
      authorization,
      header: parseHeader(authorization) ?? [],
      query: [...new URLSearchParams(request.query)],
      form: body.kind === "form" ? [...body.fields] : [],
    },
    route,
    {
      world: sandbox.world,
      controlToken,
      clocks: [sandbox.time.now(), sandbox.time.clock.machine(), ...sandbox.time.passed()],
      nonces,
    },
  );
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?$/i;
const HOST = /^[a-z0-9.-]{1,253}(?::\d{1,5})?$/i;

/**
 * Returns the origin that the client used, from the request's `Host` header. Hosts other than loopback get `https`:
 * requests to these hosts come through a TLS proxy, or through a test's replacement of a TLS proxy.
 *
 * @param baseUrl Origin for a request without a usable header.
 */
export function originOf({ headers }: Pick<RequestHead, "headers">, baseUrl: string): string {
  const host = headers["host"] ?? "";
  if (LOOPBACK.test(host)) return `http://${host}`;
  return HOST.test(host) ? `https://${host}` : baseUrl;
}

/** Returns the `WWW-Authenticate` header of a refused caller: the scheme that the request used, or else OAuth. */
export function challengeFor({ headers }: Pick<RequestHead, "headers">, origin: string): string {
  const { authorization = "" } = headers;
  const scheme = /^(?:bearer|basic)(?=\s)/i.exec(authorization)?.[0].toLowerCase();
  const name = scheme === "bearer" ? "Bearer" : scheme === "basic" ? "Basic" : "OAuth";
  return `${name} realm="${origin}"`;
}
