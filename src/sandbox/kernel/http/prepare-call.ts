import type { Dialect } from "../../../protocol/dialects.ts";
import { checkAuthKind, authenticate } from "../../auth/authenticate.ts";
import { type RequestCaller, levelOf } from "../../auth/caller.ts";
import type { Nonces } from "../../auth/nonces.ts";
import { parseHeader } from "../../auth/signature.ts";
import { checkPermission } from "../../auth/check-permission.ts";
import { type RequestBody, parseBody } from "./body.ts";
import { canonicalBody, canonicalQuery } from "./dialect.ts";
import type { InjectedFault } from "../delivery/faults.ts";
import { type RouteLimits, tooManyRequests } from "./rate-limiter.ts";
import { type ErrorStyle, ApiError } from "./api-error.ts";
import type { RouteCall, Route } from "./route.ts";
import type { Method } from "./method.ts";
import type { RouteMatch, Router } from "./router.ts";
import type { Sandbox } from "../sandbox.ts";

/** What serving a request needs besides it. */
export interface ServerContext {
  readonly sandbox: Sandbox;
  readonly router: Router;
  readonly controlToken: string;
  readonly nonces: Nonces;
}

/** A request as received, with its body read. */
export interface IncomingRequest {
  readonly method: string;
  /** Path as sent, without the query; the ads host's paths start with `/ads`. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: Buffer;
}

/** What is known of a request before its response is written. */
export interface RequestState {
  readonly style: ErrorStyle;
  readonly headers: Record<string, string>;
  dialect: Dialect;
  fault?: InjectedFault | undefined;
  caller: RequestCaller;
}

/** Errors have the style of the path's family. */
export function styleOf(path: string): ErrorStyle {
  if (path.startsWith("/_sandbox")) return "control";
  if (path.startsWith("/ads/")) return "ads";
  if (path.startsWith("/1.1/") || path.startsWith("/oauth")) return "v1";
  return "v2";
}

/**
 * Takes one request through matching, parsing, authentication, limits and permission, up to its call.
 *
 * Headers of every response are in `state` as soon as they are known, for errors too.
 *
 * @throws {ApiError} where one of them fails.
 */
export async function prepareCall(
  request: IncomingRequest,
  state: RequestState,
  context: ServerContext,
): Promise<{ route: Route; call: RouteCall }> {
  const { sandbox } = context;
  const match = findRoute(request, context.router);
  if (match === undefined) throw await unknownRoute(request, state, context);
  const { route, params } = match;
  const { body, malformed } = await readBody(request);
  const canonical = canonicalQuery(new URLSearchParams(request.query));
  if (route.limits !== undefined) setFullLimitHeaders(route.limits, state, sandbox);
  const caller = authenticateRequest(request, body, route, context);
  state.caller = caller;
  state.dialect = canonical.dialect ?? pathDialect(request.path, caller);
  setAccessLevelHeader(state);
  checkAuthKind(caller, route);
  state.fault = state.style === "control" ? undefined : triggerFault(request, caller, sandbox);
  if (state.fault?.type === "limit") throw tooManyRequests();
  if (state.fault?.type === "skew") throw ApiError.unauthorized(135, "Timestamp out of bounds.");
  countRequest(route, caller, state, sandbox);
  checkPermission(caller, route);
  if (malformed !== undefined) throw malformed;
  const call: RouteCall = {
    sandbox,
    method: route.method,
    path: request.path,
    params,
    query: canonical.query,
    headers: request.headers,
    body: canonicalRequestBody(body, state.style),
    caller,
    dialect: state.dialect,
  };
  return { route, call };
}

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function findRoute({ method, path }: IncomingRequest, router: Router): RouteMatch | undefined {
  const known = METHODS.find((one) => one === (method === "HEAD" ? "GET" : method));
  return known === undefined ? undefined : router.find(known, path);
}

/** How an unknown path of the data interface is treated: its limits show to anybody. */
const UNKNOWN_ROUTE = { auth: ["oauth1", "oauth2", "bearer"], limits: { app: 450 } } as const;

/** The error for an unknown method or path; an authenticated caller's level is in its headers. */
async function unknownRoute(
  request: IncomingRequest,
  state: RequestState,
  context: ServerContext,
): Promise<ApiError> {
  const { method, path } = request;
  if (state.style === "v2") {
    setFullLimitHeaders(UNKNOWN_ROUTE.limits, state, context.sandbox);
    try {
      state.caller = authenticateRequest(
        request,
        (await readBody(request)).body,
        UNKNOWN_ROUTE,
        context,
      );
      setAccessLevelHeader(state);
    } catch (error) {
      // A caller that fails to authenticate gets the same response.
      if (!(error instanceof ApiError)) throw error;
    }
  }
  const allowed = METHODS.filter((one) => context.router.find(one, path) !== undefined);
  if (allowed.length > 0) {
    return new ApiError({
      status: 405,
      code: "method_not_allowed",
      message: `${method} is not allowed here; ${allowed.join(", ")} is.`,
      title: "Method Not Allowed",
      v1: 86,
      headers: { allow: allowed.join(", ") },
    });
  }
  return new ApiError({
    status: 404,
    code: "not_found",
    message: `There is no ${method} ${path} here.`,
    title: "Not Found",
    v1: 34,
    ads: "ROUTE_NOT_FOUND",
  });
}

/** The body, or what is wrong with it: reported after authentication, which does not depend on it. */
async function readBody({
  raw,
  headers,
}: IncomingRequest): Promise<{ body: RequestBody; malformed?: ApiError }> {
  try {
    return { body: await parseBody(raw, headers["content-type"] ?? "") };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { body: { kind: "empty" }, malformed: error };
  }
}

function authenticateRequest(
  request: IncomingRequest,
  body: RequestBody,
  route: Pick<Route, "auth">,
  { sandbox, controlToken, nonces }: ServerContext,
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
      clocks: [sandbox.time.now(), sandbox.time.clock.machine()],
      nonces,
    },
  );
}

function setAccessLevelHeader({ caller, headers }: RequestState): void {
  const level = levelOf(caller);
  if (level !== undefined) headers["x-access-level"] = level;
}

/** Until a caller is known, the rate headers are those of one who has not called yet. */
function setFullLimitHeaders(
  limits: RouteLimits,
  { headers }: RequestState,
  { limits: rateLimiter, settings }: Sandbox,
): void {
  Object.assign(headers, rateLimiter.fullHeaders(limits, settings.limits));
}

/** The dialect of a request whose parameters leave it open. */
function pathDialect(path: string, caller: RequestCaller): Dialect {
  if (/^\/2\/posts(\/|$)/.test(path)) return "post";
  return "app" in caller ? caller.app.dialect : "post";
}

function triggerFault(
  { method, path }: IncomingRequest,
  caller: RequestCaller,
  { faults }: Sandbox,
): InjectedFault | undefined {
  const account = "user" in caller ? caller.user.id : undefined;
  return faults.trigger({ direction: "request", method, path, account });
}

function countRequest(
  route: Route,
  caller: RequestCaller,
  state: RequestState,
  sandbox: Sandbox,
): void {
  if (route.limits === undefined) return;
  const who = {
    app: "app" in caller ? caller.app.id : undefined,
    user: "user" in caller ? caller.user.id : undefined,
  };
  const key = `${route.method} ${route.path}`;
  Object.assign(
    state.headers,
    sandbox.limits.count(key, route.limits, who, sandbox.settings.limits),
  );
}

function canonicalRequestBody(body: RequestBody, style: ErrorStyle): RequestBody {
  if (body.kind !== "json" || style === "control") return body;
  return { kind: "json", value: canonicalBody(body.value) };
}
