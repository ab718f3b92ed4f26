import { type Credentials, ENDPOINTS, pathToPostDialect } from "../../client/client.ts";
import { ANY, type CredentialKind, type Endpoint, SIGNED } from "../../client/http/endpoint.ts";
import { UsageError } from "../../errors.ts";
import type { PlatformTarget } from "./target.ts";

export interface RawCall {
  readonly method: string;
  /** Path with query, such as `/2/users/me?user.fields=name`; on the advertising host, without the version `/12`. */
  readonly path: string;
  /** Request body as JSON; undefined for none. The command refuses JSON that is not an object or array. */
  readonly body: object | undefined;
  readonly isAds: boolean;
  /**
   * Handle of the acting account. If undefined: the app if no account is accepted or linked, else the default account.
   */
  readonly as: string | undefined;
  /** Whether to use the app's bearer token even if accounts are linked. */
  readonly asApp: boolean;
}

/** Sends a request with credentials that its endpoint accepts. @returns The JSON of the response. */
export async function rawCall(target: PlatformTarget, call: RawCall): Promise<unknown> {
  const [path = "", query = ""] = call.path.split(/\?(.*)/s);
  const method = methodOf(call.method);
  const credentials = await credentialsFor(
    target,
    call,
    acceptedCredentials(method, path, call.isAds),
  );
  const { body } = await target.app.as(credentials).request({
    method,
    endpoint: endpointOf(path),
    query: queryOf(new URLSearchParams(query)),
    ...(call.body === undefined ? {} : { json: call.body }),
    ...(call.isAds ? { ads: true } : {}),
  });
  return body;
}

function methodOf(methodName: string): Endpoint["method"] {
  const method = methodName.toUpperCase();
  if (method === "GET" || method === "POST" || method === "PUT" || method === "DELETE") {
    return method;
  }
  throw new UsageError(`the platform has no method ${methodName}`, {
    hint: "write GET, POST, PUT or DELETE, then a path that begins with a slash",
  });
}

/** @throws {UsageError} for a repeated parameter, which the platform does not accept. */
function queryOf(params: URLSearchParams): Readonly<Record<string, string>> {
  const names = [...params.keys()];
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated === undefined) return Object.fromEntries(params);
  throw new UsageError(`${repeated} is in the query more than once`, {
    hint: `join its values with commas, as in: ${repeated}=${params.getAll(repeated).join(",")}`,
  });
}

function endpointOf(path: string): `/${string}` {
  if (path.startsWith("/")) return `/${path.slice(1)}`;
  throw new UsageError(`"${path}" is not a path`, {
    hint: "begin it with a slash, as in: /2/users/me",
  });
}

/**
 * Kinds of credentials that an endpoint accepts. For an endpoint unknown to the client: any kind, or only signed
 * requests on the advertising host.
 */
function acceptedCredentials(
  method: Endpoint["method"],
  path: string,
  isAds: boolean,
): Endpoint["takes"] {
  const knownEndpoint = Object.values(ENDPOINTS)
    .flatMap((resource): Endpoint[] => Object.values(resource))
    .find(
      (one) => one.method === method && (one.ads === true) === isAds && matchesPath(one.path, path),
    );
  return knownEndpoint?.takes ?? (isAds ? SIGNED : ANY);
}

function matchesPath(template: string, path: string): boolean {
  const wanted = template.split("/");
  const pathParts = pathToPostDialect(path).split("/");
  if (wanted.length !== pathParts.length) return false;
  return wanted.every((part, at) => part.startsWith(":") || part === pathParts[at]);
}

async function credentialsFor(
  target: PlatformTarget,
  { as, asApp }: RawCall,
  takes: Endpoint["takes"],
): Promise<Credentials> {
  const can = (kind: CredentialKind): boolean => takes.includes(kind);
  const hasAccount =
    as !== undefined || target.settings.accounts.length + target.accounts.length > 0;
  if (asApp || (as === undefined && can("bearer") && (!can("oauth1") || !hasAccount))) {
    return { type: "bearer", bearerToken: target.access.bearerToken };
  }
  return (await target.credentialsOf(as)).keys;
}
