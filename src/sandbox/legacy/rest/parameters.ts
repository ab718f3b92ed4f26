import type { Route, RouteCall, RouteResponse } from "../../server/route.ts";
import type { ListBounds } from "../../posts/reading/paged-posts.ts";
import { badParameter, coded } from "./coded-errors.ts";

const ID = /^\d{1,19}$/;

/** Parameters of a request to version 1.1, from its query and form. */
export class LegacyParameters {
  readonly #values: ReadonlyMap<string, string>;

  constructor({ query, body }: Pick<RouteCall, "query" | "body">) {
    const form = body.kind === "form" || body.kind === "multipart" ? [...body.fields] : [];
    this.#values = new Map([...query, ...form]);
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name);
    return value === "" ? undefined : value;
  }

  /** Returns a text that may be empty; undefined if the request lacks the parameter. */
  sent(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** Returns true for `true`, `t` and `1`. */
  flag(name: string, fallback = false): boolean {
    const value = this.text(name);
    return value === undefined ? fallback : /^(true|t|1)$/i.test(value);
  }

  /** Returns an optional id. @throws {ApiError} 400, code 44, for an invalid one. */
  id(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || ID.test(value)) return value;
    throw badParameter(name);
  }

  /** Returns a required id. @throws {ApiError} 400, code 25 or 44. */
  requiredId(name: string): string {
    const id = this.id(name);
    if (id === undefined) throw coded("missing");
    return id;
  }

  /** Returns up to `max` comma-separated values; further values are ignored. */
  list(name: string, max: number): string[] {
    const values = this.text(name)?.split(",") ?? [];
    return values
      .map((value) => value.trim())
      .filter((value) => value !== "")
      .slice(0, max);
  }

  /** Returns the requested number of items: at most `max`, and the fallback if it is missing or not a number. */
  count({ max, fallback }: { max: number; fallback: number }): number {
    const value = this.text("count") ?? "";
    if (!/^\d{1,9}$/.test(value) || Number(value) === 0) return fallback;
    return Math.min(max, Number(value));
  }
}

/** Returns the id before `.json` at the path's end. @throws {ApiError} 404, code 34. */
export function idInFile({ params }: Pick<RouteCall, "params">): string {
  const id = /^(\d{1,19})\.json$/.exec(params["file"] ?? "")?.[1];
  if (id === undefined) throw coded("pageMissing");
  return id;
}

/** Creates two routes that differ in the place of the id: in a parameter `id`, and before `.json` at the path's end. */
export function routesById(
  path: string,
  route: Omit<Route, "path" | "handle">,
  handle: (call: RouteCall, id: string) => RouteResponse,
): Route[] {
  return [
    {
      ...route,
      path: `${path}.json`,
      handle: (call) => handle(call, new LegacyParameters(call).requiredId("id")),
    },
    { ...route, path: `${path}/:file`, handle: (call) => handle(call, idInFile(call)) },
  ];
}

/** Reads the bounds of a list, which excludes `since_id` and includes `max_id`. */
export function boundsOf(legacyParams: LegacyParameters): ListBounds {
  const maxId = legacyParams.id("max_id");
  return {
    sinceId: legacyParams.id("since_id"),
    untilId: maxId === undefined ? undefined : String(BigInt(maxId) + 1n),
  };
}
