import type { Dialect } from "../../protocol/dialects.ts";
import { checkAuthKind } from "../auth/authenticate.ts";
import { type RequestCaller, levelOf } from "../auth/caller.ts";
import { checkPermission } from "../auth/check-permission.ts";
import { canonicalBody, canonicalQuery } from "../kernel/http/dialect.ts";
import type { ExchangeSide } from "../kernel/delivery/exchange-log.ts";
import type { MetFault } from "../kernel/delivery/faults.ts";
import { routeKey, type RouteLimits, tooManyRequests } from "../kernel/http/rate-limiter.ts";
import { type ErrorStyle, ApiError } from "../kernel/http/api-error.ts";
import type { Method } from "../kernel/http/method.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import {
  authenticateRequest,
  type CallerAndBody,
  callerAndBody,
  contentType,
  type ReadBody,
  type RequestHead,
  type ServerContext,
} from "./read-caller.ts";
import { isForm, type RequestBody } from "./body.ts";
import type { RouteCall, Route } from "./route.ts";
import { refuseMalformedIds, type RouteMatch, type Router } from "./router.ts";

/** State of a request before its response is written. */
export interface RequestState {
  readonly style: ErrorStyle;
  readonly headers: Record<string, string>;
  /** Origin (scheme, host and port) to which the client sent the request. */
  readonly origin: string;
  /** `WWW-Authenticate` header of a response with status 401. */
  readonly challenge: string;
  dialect: Dialect;
  fault?: MetFault | undefined;
  /** Response that was sent; for a stream only the headers. */
  sent?: ExchangeSide;
  caller: RequestCaller;
  /** Whether the request is a copy that a fault created. Faults do not apply to copies. */
  readonly repeated: boolean;
}

/** Returns the style of error bodies for a request path. */
export function styleOf(path: string): ErrorStyle {
  if (path.startsWith("/_sandbox")) return "control";
  if (path.startsWith("/ads/")) return "ads";
  if (path.startsWith("/1.1/") || path.startsWith("/oauth")) return "v1";
  return "v2";
}

/**
 * Prepares the call of a handler: finds the route, authenticates the caller, parses, counts and checks the request.
 *
 * Reads the body after the route is known, and after the caller is authenticated unless the authentication depends on
 * the fields of a form. Puts response headers into `state` as soon as they are known, so that error responses have
 * them, too.
 *
 * @throws {ApiError} if one of these steps fails.
 */
export async function prepareCall(
  request: RequestHead,
  readBody: ReadBody,
  state: RequestState,
  context: ServerContext,
): Promise<{ route: Route; call: RouteCall }> {
  const { sandbox } = context;
  const match = findRoute(request, context.router);
  if (match === undefined) throw await unknownRoute(request, readBody, state, context);
  const { route, params } = match;
  const canonical = canonicalQuery(new URLSearchParams(request.query));
  let parsedCall: CallerAndBody;
  try {
    parsedCall = await callerAndBody(request, readBody, route, context, (caller) =>
      setCaller(state, caller),
    );
    state.dialect = canonical.dialect ?? pathDialect(request.path, parsedCall.caller);
    checkAuthKind(parsedCall.caller, route);
    if (state.style !== "control" && !state.repeated)
      state.fault = triggerFault(request, parsedCall.caller, sandbox);
    if (state.fault?.type === "limit") throw tooManyRequests();
    if (state.fault?.type === "skew") throw ApiError.unauthorized(135, "Timestamp out of bounds.");
  } catch (error) {
    if (route.limits !== undefined) setFullLimitHeaders(route.limits, state, sandbox);
    throw error;
  }
  const { caller, body, malformed } = parsedCall;
  countRequest(route, caller, state, sandbox);
  checkPermission(caller, route);
  if (malformed !== undefined) throw malformed;
  if (state.style === "v2" && route.method !== "GET") refuseMalformedIds(params, state.dialect);
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
    origin: state.origin,
  };
  return { route, call };
}

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function findRoute({ method, path }: RequestHead, router: Router): RouteMatch | undefined {
  const knownMethod = METHODS.find((one) => one === (method === "HEAD" ? "GET" : method));
  return knownMethod === undefined ? undefined : router.find(knownMethod, path);
}

/** Access and limits of unknown paths. For these, too, API v2 sends limit headers to any caller. */
const UNKNOWN_ROUTE = { auth: ["oauth1", "oauth2", "bearer"], limits: { app: 450 } } as const;

/**
 * Returns the error for an unknown method or path. An authenticated caller also gets the header with the access level.
 */
async function unknownRoute(
  request: RequestHead,
  readBody: ReadBody,
  state: RequestState,
  context: ServerContext,
): Promise<ApiError> {
  const { method, path } = request;
  if (state.style === "v2") setFullLimitHeaders(UNKNOWN_ROUTE.limits, state, context.sandbox);
  if (state.style !== "control") {
    try {
      // Only a form must be read to authenticate the caller, since an OAuth 1.0a signature covers its fields.
      if (isForm(contentType(request))) {
        const onCaller = (caller: RequestCaller): void => setCaller(state, caller);
        await callerAndBody(request, readBody, UNKNOWN_ROUTE, context, onCaller);
      } else setCaller(state, authenticateRequest(request, UNKNOWN_ROUTE, context));
    } catch (error) {
      // Without authentication the error is the same, but the header with the access level is absent.
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

/** Sets the authenticated caller, and the response header with the caller's access level. */
function setCaller(state: RequestState, caller: RequestCaller): void {
  state.caller = caller;
  const level = levelOf(caller);
  if (level !== undefined) state.headers["x-access-level"] = level;
}

/** Sets the limit headers of a request that is refused before it is counted. They show the full budget. */
function setFullLimitHeaders(
  limits: RouteLimits,
  { headers }: RequestState,
  { limits: rateLimiter, settings }: Sandbox,
): void {
  Object.assign(headers, rateLimiter.fullHeaders(limits, settings.limits));
}

/** Returns the dialect (`tweet` or `post`) of a request whose query fits both: that of the path, or else of the app. */
function pathDialect(path: string, caller: RequestCaller): Dialect {
  if (/^\/2\/posts(\/|$)/.test(path)) return "post";
  return "app" in caller ? caller.app.dialect : "post";
}

function triggerFault(
  { method, path }: RequestHead,
  caller: RequestCaller,
  { faults }: Sandbox,
): MetFault | undefined {
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
  const key = routeKey(route);
  Object.assign(
    state.headers,
    sandbox.limits.count(key, route.limits, who, sandbox.settings.limits),
  );
}

function canonicalRequestBody(body: RequestBody, style: ErrorStyle): RequestBody {
  if (body.kind !== "json" || style === "control") return body;
  return { kind: "json", value: canonicalBody(body.value), sent: body.value };
}
