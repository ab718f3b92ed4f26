import type { Dialect } from "../../interface/dialects.ts";
import { authenticate } from "../auth/authenticate.ts";
import { type Caller, levelOf } from "../auth/caller.ts";
import type { Nonces } from "../auth/nonces.ts";
import { parseHeader } from "../auth/signature.ts";
import { permit } from "../auth/permit.ts";
import { type Body, parseBody } from "./body.ts";
import { canonicalBody, canonicalQuery } from "./dialect.ts";
import type { Fault } from "./faults.ts";
import { tooMany } from "./limits.ts";
import { type ErrorStyle, Refusal } from "./refusal.ts";
import type { Call, Method, Route } from "./route.ts";
import type { Match, Router } from "./router.ts";
import type { Sandbox } from "./sandbox.ts";

/** What the exchange needs besides the sandbox. */
export interface Door {
  readonly sandbox: Sandbox;
  readonly router: Router;
  readonly controlToken: string;
  readonly nonces: Nonces;
}

/** A request as it came, its body read. */
export interface Arrival {
  readonly method: string;
  /** Path as sent, without the query; the ads host's paths start with `/ads`. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: Buffer;
}

/** What becomes of a request before its answer is written. */
export interface Turn {
  readonly style: ErrorStyle;
  readonly headers: Record<string, string>;
  dialect: Dialect;
  fault?: Fault | undefined;
  caller: Caller;
}

/** Errors of a path are written as its family writes them. */
export function styleOf(path: string): ErrorStyle {
  if (path.startsWith("/_sandbox")) return "control";
  if (path.startsWith("/ads/")) return "ads";
  if (path.startsWith("/1.1/") || path.startsWith("/oauth")) return "v1";
  return "v2";
}

/**
 * Takes one request through match, body, proof, budget and permission, up to its call.
 *
 * @throws {Refusal} where one of them says no.
 */
export async function receive(
  arrival: Arrival,
  turn: Turn,
  door: Door,
): Promise<{ route: Route; call: Call }> {
  const { sandbox } = door;
  const match = findRoute(arrival, door.router);
  const body = await parseBody(arrival.raw, arrival.headers["content-type"] ?? "");
  const asked = canonicalQuery(new URLSearchParams(arrival.query));
  const caller = prove(arrival, body, match.route, door);
  turn.caller = caller;
  turn.dialect = asked.spoken ?? pathDialect(arrival.path, caller);
  const level = levelOf(caller);
  if (level !== undefined) turn.headers["x-access-level"] = level;
  turn.fault = turn.style === "control" ? undefined : strike(arrival, caller, sandbox);
  if (turn.fault?.type === "limit") throw tooMany();
  if (turn.fault?.type === "skew") throw Refusal.unauthorized(135, "Timestamp out of bounds.");
  spend(match.route, caller, turn, sandbox);
  permit(caller, match.route);
  const call: Call = {
    sandbox,
    method: match.route.method,
    path: arrival.path,
    params: match.params,
    query: asked.query,
    headers: arrival.headers,
    body: canonical(body, turn.style),
    caller,
    dialect: turn.dialect,
  };
  return { route: match.route, call };
}

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function findRoute({ method, path }: Arrival, router: Router): Match {
  const known = METHODS.find((one) => one === (method === "HEAD" ? "GET" : method));
  const match = known === undefined ? undefined : router.find(known, path);
  if (match !== undefined) return match;
  const allowed = METHODS.filter((one) => router.find(one, path) !== undefined);
  if (allowed.length > 0) {
    throw new Refusal({
      status: 405,
      code: "method_not_allowed",
      message: `${method} is not allowed here; ${allowed.join(", ")} is.`,
      title: "Method Not Allowed",
      v1: 86,
      headers: { allow: allowed.join(", ") },
    });
  }
  throw new Refusal({
    status: 404,
    code: "not_found",
    message: `There is no ${method} ${path} here.`,
    title: "Not Found",
    v1: 34,
    ads: "ROUTE_NOT_FOUND",
  });
}

function prove(
  arrival: Arrival,
  body: Body,
  route: Route,
  { sandbox, controlToken, nonces }: Door,
): Caller {
  const authorization = arrival.headers["authorization"] ?? "";
  const host = arrival.headers["host"] ?? "";
  return authenticate(
    {
      method: arrival.method,
      path: arrival.path,
      origins: [sandbox.baseUrl, `http://${host}`, `https://${host}`],
      authorization,
      header: parseHeader(authorization) ?? [],
      query: [...new URLSearchParams(arrival.query)],
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

/** The dialect of a request whose parameters do not tell. */
function pathDialect(path: string, caller: Caller): Dialect {
  if (/^\/2\/posts(\/|$)/.test(path)) return "post";
  return "app" in caller ? caller.app.dialect : "post";
}

function strike({ method, path }: Arrival, caller: Caller, { faults }: Sandbox): Fault | undefined {
  const account = "user" in caller ? caller.user.id : undefined;
  return faults.strike({ direction: "request", method, path, account });
}

function spend(route: Route, caller: Caller, turn: Turn, sandbox: Sandbox): void {
  if (route.limits === undefined) return;
  const who = {
    app: "app" in caller ? caller.app.id : undefined,
    user: "user" in caller ? caller.user.id : undefined,
  };
  const key = `${route.method} ${route.path}`;
  Object.assign(turn.headers, sandbox.limits.take(key, route.limits, who, sandbox.settings.limits));
}

function canonical(body: Body, style: ErrorStyle): Body {
  if (body.kind !== "json" || style === "control") return body;
  return { kind: "json", value: canonicalBody(body.value) };
}
