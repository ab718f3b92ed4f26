import type { AccessLevel } from "../../interface/access.ts";
import { ACCESS_LEVELS } from "../../interface/access.ts";
import { users } from "../accounts/entities.ts";
import { accessTokens, type App, apps, userTokens } from "../apps/entities.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { AuthKind, Route } from "../kernel/route.ts";
import type { World } from "../kernel/world.ts";
import { basicPairs, decoding } from "./basic.ts";
import type { Caller } from "./caller.ts";
import { equalText } from "./equal.ts";
import type { Nonces } from "./nonces.ts";
import { checkFreshness, oauthParams, signatureFits, type SignedRequest } from "./oauth1.ts";

/** What proving a caller needs besides the request. */
export interface Proof {
  readonly world: World;
  readonly controlToken: string;
  /** Milliseconds of the sandbox's clock and the machine's. */
  readonly clocks: readonly number[];
  readonly nonces: Nonces;
}

/**
 * Who sent the request, proven in a way that the route may take.
 *
 * @throws {Refusal} 401 where nothing is proven; 403 at the app-only token endpoint.
 */
export function authenticate(
  request: SignedRequest & { readonly authorization: string },
  route: Pick<Route, "auth">,
  proof: Proof,
): Caller {
  if (route.auth.length === 0) return { kind: "nobody" };
  const { authorization } = request;
  if (route.auth.includes("control")) return control(authorization, proof);
  return read(request, route, proof);
}

/**
 * Lets a proven caller through to a route that takes its kind.
 *
 * @throws {Refusal} 403 where the route takes other kinds, and where the app is suspended.
 */
export function admit(caller: Caller, { auth }: Pick<Route, "auth">): void {
  if (auth.length === 0) return;
  if (!auth.some((kind) => kind === caller.kind)) throw wrongKind(caller.kind, auth);
  refuseSuspended(caller);
}

function read(
  request: SignedRequest & { readonly authorization: string },
  route: Pick<Route, "auth">,
  proof: Proof,
): Caller {
  const { authorization } = request;
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return token(bearer, proof);
  const oauth = /^oauth\s/i.test(authorization);
  if (route.auth.includes("basic") && !oauth) return basic(request, proof);
  return signed(request, route, proof);
}

/**
 * The app of a consumer key and secret, in a Basic header or as `client_id` and `client_secret`.
 *
 * Source: the app-only token endpoint of the live service; npm oauth sends the parameters.
 */
function basic(
  { authorization, form, query }: SignedRequest & { readonly authorization: string },
  { world }: Proof,
): Caller {
  const sent = new Map([...query, ...form]);
  const named = { name: sent.get("client_id") ?? "", secret: sent.get("client_secret") ?? "" };
  for (const { name, secret } of [...basicPairs(authorization), named]) {
    const app = apps.in(world).first("consumerKey", name);
    if (app !== undefined && equalText(app.consumerSecret, secret)) return { kind: "basic", app };
  }
  throw new Refusal({
    status: 403,
    code: "unverified_credentials",
    message: "Unable to verify your credentials",
    raw: {
      errors: [
        {
          code: 99,
          label: "authenticity_token_error",
          message: "Unable to verify your credentials",
        },
      ],
    },
  });
}

function control(authorization: string, { controlToken }: Proof): Caller {
  if (!equalText(authorization.replace(/^bearer\s+/i, ""), controlToken)) {
    throw new Refusal({
      status: 401,
      code: "unauthorized",
      message: "Send the control token of the ready line as Authorization: Bearer <token>.",
    });
  }
  return { kind: "control" };
}

function token(bearer: string, { world, clocks }: Proof): Caller {
  const app =
    apps.in(world).first("bearerToken", bearer) ??
    apps.in(world).first("bearerToken", decoding(bearer));
  if (app !== undefined) return { kind: "bearer", app };
  const row = userTokens.in(world).get(bearer);
  if (row === undefined || row.expiresAt <= (clocks[0] ?? 0)) {
    throw Refusal.unauthorized(89, "Invalid or expired token.");
  }
  const owner = apps.in(world).get(row.appId);
  const user = users.in(world).get(row.userId);
  if (owner === undefined || !owner.oauth2 || user === undefined)
    throw Refusal.unauthorized(89, "Invalid or expired token.");
  return { kind: "oauth2", app: owner, user, scopes: row.scopes, token: bearer };
}

function signed(request: SignedRequest, route: Pick<Route, "auth">, proof: Proof): Caller {
  const oauth = oauthParams(request);
  const app = apps.in(proof.world).first("consumerKey", oauth.get("oauth_consumer_key") ?? "");
  if (!oauth.has("oauth_signature")) throw nothingSent(request.path);
  if (app === undefined || !app.oauth1) throw Refusal.unauthorized();
  // A log-in step may carry a request token: the area that issued it finishes the proof.
  if (route.auth.includes("signed")) {
    const prove = (tokenSecret: string): boolean => fits(request, app, tokenSecret, oauth, proof);
    return { kind: "signed", app, oauth, prove };
  }
  const row = accessTokens.in(proof.world).get(oauth.get("oauth_token") ?? "");
  const user = row === undefined ? undefined : users.in(proof.world).get(row.userId);
  if (row === undefined || user === undefined || row.appId !== app.id || row.voided) {
    throw Refusal.unauthorized(89, "Invalid or expired token.");
  }
  if (!fits(request, app, row.secret, oauth, proof)) throw Refusal.unauthorized();
  return { kind: "oauth1", app, user, level: lower(row.level, app.level), token: row.token };
}

/**
 * Whether the request is signed with the app's secret and the token's.
 *
 * @throws {Refusal} 401 where it is, but is stale or was sent before.
 */
function fits(
  request: SignedRequest,
  app: App,
  tokenSecret: string,
  oauth: ReadonlyMap<string, string>,
  { clocks, nonces }: Proof,
): boolean {
  const { consumerSecret } = app;
  if (!signatureFits(request, { consumerSecret, tokenSecret })) return false;
  checkFreshness(oauth, clocks, nonces);
  return true;
}

/** A token keeps the level it was issued with, unless the app has less now. */
function lower(a: AccessLevel, b: AccessLevel): AccessLevel {
  return ACCESS_LEVELS.indexOf(a) <= ACCESS_LEVELS.indexOf(b) ? a : b;
}

const KIND_NAMES: Readonly<Record<AuthKind, string>> = {
  oauth1: "OAuth 1.0a User Context",
  oauth2: "OAuth 2.0 User Context",
  bearer: "OAuth 2.0 Application-Only",
  signed: "OAuth 1.0a",
  basic: "Basic",
  control: "control token",
};

/** Only the 1.1 family answers 400 to a request without credentials; the others answer 401. */
function nothingSent(path: string): Refusal {
  return /^\/(1\.1|oauth)\//.test(path)
    ? Refusal.unauthorized(215, "Bad Authentication data.")
    : Refusal.unauthorized();
}

function wrongKind(given: Caller["kind"], wanted: readonly AuthKind[]): Refusal {
  const name = given === "nobody" ? "nothing" : KIND_NAMES[given];
  const supported = wanted.map((kind) => KIND_NAMES[kind]).join(", ");
  return Refusal.forbidden(
    // The live service writes two spaces after the full stop.
    `Authenticating with ${name} is forbidden for this endpoint.  Supported authentication types are [${supported}].`,
    {
      title: "Unsupported Authentication",
      problem: "unsupported-authentication",
      v1: 220,
      ads: "UNAUTHORIZED_CLIENT_APPLICATION",
    },
  );
}

function refuseSuspended(caller: Caller): void {
  if (!("app" in caller) || !caller.app.suspended) return;
  throw Refusal.forbidden("This application has been suspended.", {
    title: "Client Forbidden",
    problem: "client-forbidden",
    v1: 416,
    ads: "UNAUTHORIZED_CLIENT_APPLICATION",
    extra: { client_id: caller.app.id, reason: "app-suspended" },
  });
}
