import type { Dialect } from "../../interface/dialects.ts";
import { admit, authenticate } from "../auth/authenticate.ts";
import { type Caller, levelOf } from "../auth/caller.ts";
import type { Nonces } from "../auth/nonces.ts";
import { parseHeader } from "../auth/signature.ts";
import { permit } from "../auth/permit.ts";
import { type Body, parseBody } from "./body.ts";
import { canonicalBody, canonicalQuery } from "./dialect.ts";
import type { Fault } from "./faults.ts";
import { type RouteLimits, tooMany } from "./limits.ts";
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
 * Headers that every answer bears are in `turn` as soon as they are known, for refusals too.
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
  if (match === undefined) throw await nowhere(arrival, turn, door);
  const { route, params } = match;
  const { body, malformed } = await readBody(arrival);
  const asked = canonicalQuery(new URLSearchParams(arrival.query));
  if (route.limits !== undefined) showWhole(route.limits, turn, sandbox);
  const caller = prove(arrival, body, route, door);
  turn.caller = caller;
  turn.dialect = asked.spoken ?? pathDialect(arrival.path, caller);
  showLevel(turn);
  admit(caller, route);
  turn.fault = turn.style === "control" ? undefined : strike(arrival, caller, sandbox);
  if (turn.fault?.type === "limit") throw tooMany();
  if (turn.fault?.type === "skew") throw Refusal.unauthorized(135, "Timestamp out of bounds.");
  spend(route, caller, turn, sandbox);
  permit(caller, route);
  if (malformed !== undefined) throw malformed;
  const call: Call = {
    sandbox,
    method: route.method,
    path: arrival.path,
    params,
    query: asked.query,
    headers: arrival.headers,
    body: canonical(body, turn.style),
    caller,
    dialect: turn.dialect,
  };
  return { route, call };
}

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function findRoute({ method, path }: Arrival, router: Router): Match | undefined {
  const known = METHODS.find((one) => one === (method === "HEAD" ? "GET" : method));
  return known === undefined ? undefined : router.find(known, path);
}

/** What a path of the data interface that is not there would take: it is told to anybody. */
const NOWHERE = { auth: ["oauth1", "oauth2", "bearer"], limits: { app: 450 } } as const;

/** The refusal of a method or path that there is not; a proven caller's level stands beside it. */
async function nowhere(arrival: Arrival, turn: Turn, door: Door): Promise<Refusal> {
  const { method, path } = arrival;
  if (turn.style === "v2") {
    showWhole(NOWHERE.limits, turn, door.sandbox);
    try {
      turn.caller = prove(arrival, (await readBody(arrival)).body, NOWHERE, door);
      showLevel(turn);
    } catch (error) {
      // Who could not prove who they are gets the same answer.
      if (!(error instanceof Refusal)) throw error;
    }
  }
  const allowed = METHODS.filter((one) => door.router.find(one, path) !== undefined);
  if (allowed.length > 0) {
    return new Refusal({
      status: 405,
      code: "method_not_allowed",
      message: `${method} is not allowed here; ${allowed.join(", ")} is.`,
      title: "Method Not Allowed",
      v1: 86,
      headers: { allow: allowed.join(", ") },
    });
  }
  return new Refusal({
    status: 404,
    code: "not_found",
    message: `There is no ${method} ${path} here.`,
    title: "Not Found",
    v1: 34,
    ads: "ROUTE_NOT_FOUND",
  });
}

/** The body, or why it is none: told after the proof, which a malformed body does not touch. */
async function readBody({ raw, headers }: Arrival): Promise<{ body: Body; malformed?: Refusal }> {
  try {
    return { body: await parseBody(raw, headers["content-type"] ?? "") };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { body: { kind: "empty" }, malformed: error };
  }
}

function prove(
  arrival: Arrival,
  body: Body,
  route: Pick<Route, "auth">,
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

function showLevel({ caller, headers }: Turn): void {
  const level = levelOf(caller);
  if (level !== undefined) headers["x-access-level"] = level;
}

/** Until a caller is known, the rate headers are those of one who has not called yet. */
function showWhole(
  limits: RouteLimits,
  { headers }: Turn,
  { limits: rates, settings }: Sandbox,
): void {
  Object.assign(headers, rates.whole(limits, settings.limits));
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
