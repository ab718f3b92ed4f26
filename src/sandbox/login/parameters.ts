import type { RouteCall } from "../server/route.ts";

/** Returns the parameters of the query and of a form or flat JSON body. Parameters of the body win. */
export function parametersOf({ query, body }: Pick<RouteCall, "query" | "body">): URLSearchParams {
  const all = new URLSearchParams(query);
  for (const [name, value] of bodyPairs(body)) all.set(name, value);
  return all;
}

function bodyPairs(body: RouteCall["body"]): (readonly [string, string])[] {
  if (body.kind === "form" || body.kind === "multipart") return [...body.fields];
  if (body.kind !== "json" || typeof body.value !== "object" || body.value === null) return [];
  return Object.entries(body.value).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
}
