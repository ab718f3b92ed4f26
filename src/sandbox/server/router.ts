import type { Dialect } from "../../protocol/dialects.ts";
import { canonicalSegment, toCallerWord } from "../kernel/http/dialect.ts";
import type { Method } from "../kernel/http/method.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Route } from "./route.ts";

interface RouteEntry {
  readonly route: Route;
  readonly segments: readonly string[];
}

export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Paths of endpoints that the sandbox lacks, at least for some methods. Without this list, the router would take their
 * last word for an id.
 */
const NOT_IDS: ReadonlySet<string> = new Set([
  "/2/media/analytics",
  "/2/media/metadata",
  "/2/media/subtitles",
  "/2/posts/analytics",
  "/2/users/personalized_trends",
  "/2/users/public_keys",
  "/2/users/:id/bookmarks/folders",
  "/2/webhooks/replay",
]);

/** Finds the route of a request; fixed segments win over parameters. */
export class Router {
  readonly #byShape = new Map<string, RouteEntry[]>();

  /** @throws {Error} when two routes have the same method and path. */
  constructor(routes: readonly Route[]) {
    const seen = new Set<string>();
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      if (seen.has(name)) throw new Error(`two areas register ${name}`);
      seen.add(name);
      const segments = route.path.split("/").slice(1);
      const shape = shapeOf(route.method, segments);
      const entries = this.#byShape.get(shape) ?? [];
      entries.push({ route, segments });
      entries.sort((a, b) => paramsFirst(a.segments).localeCompare(paramsFirst(b.segments)));
      this.#byShape.set(shape, entries);
    }
  }

  /** Finds a route. A slash at the end of a path is ignored, since the platform's documentation has one such path. */
  find(method: Method, path: string): RouteMatch | undefined {
    const whole = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
    const segments = whole.split("/").slice(1);
    for (const { route, segments: wanted } of this.#byShape.get(shapeOf(method, segments)) ?? []) {
      const params = match(wanted, segments);
      if (params === undefined) continue;
      const before = wanted.slice(0, -1).join("/");
      const isOther = NOT_IDS.has(`/${before}/${canonicalSegment(segments.at(-1) ?? "")}`);
      return isOther && wanted.at(-1)?.startsWith(":") === true ? undefined : { route, params };
    }
    return undefined;
  }
}

/** Returns the key by which routes are grouped: a request is compared only with routes that have the same key. */
function shapeOf(method: Method, segments: readonly string[]): string {
  const [version = "", area = ""] = segments;
  const within = version === "2" ? canonicalSegment(area) : "";
  return `${method} ${segments.length} ${version}/${within}`;
}

/** Returns a sort key that puts a fixed segment before a parameter at the first difference. */
function paramsFirst(segments: readonly string[]): string {
  return segments.map((segment) => (segment.startsWith(":") ? "1" : "0")).join("");
}

function match(
  wanted: readonly string[],
  pathSegments: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [at, segment] of wanted.entries()) {
    const raw = pathSegments[at] ?? "";
    if (segment.startsWith(":")) {
      const value = decode(raw);
      if (value === undefined || value === "") return undefined;
      params[segment.slice(1)] = value;
    } else if (segment !== raw && segment !== canonicalSegment(raw)) return undefined;
  }
  return params;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Path parameters that must be numeric ids. Webhook ids get another error; conversation ids are not numeric. */
const ID_PARAMETER = /^(?:id|(?!webhook_|dm_conversation_|endpoint_)\w+_id)$/;

/**
 * Refuses malformed ids in the path before they are looked up. Look-up routes check ids themselves, together with the
 * query.
 *
 * @throws {ApiError} 400.
 */
export function refuseMalformedIds(params: RouteMatch["params"], dialect: Dialect): void {
  const faults = Object.entries(params)
    .filter(([name, value]) => ID_PARAMETER.test(name) && !/^[0-9]{1,19}$/.test(value))
    .map(([name, value]) => [toCallerWord(name, dialect), value] as const)
    .map(([name, value]) => ({
      parameters: { [name]: [value] },
      message: `The \`${name}\` query parameter value [${value}] is not valid`,
    }));
  if (faults.length > 0) throw ApiError.invalid(faults);
}
