import { PATH_WORDS } from "../../../protocol/dialects.ts";
import type { Route, RouteCall, RouteResponse } from "../../server/route.ts";
import type { LimitedRoute } from "../../kernel/http/rate-limiter.ts";
import { LEGACY } from "../ledger.ts";
import { LegacyParameters } from "./parameters.ts";
import { legacyBody } from "./respond.ts";

const MAX_FAMILIES = 100;

/** Route that returns the remaining budget of each 15-minute limit. */
export const rateLimitRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/1.1/application/rate_limit_status.json",
    ledger: LEGACY,
    auth: ["oauth1", "bearer"],
    limits: { app: 180, user: 180 },
    handle: rateLimitStatus,
  },
];

function rateLimitStatus(call: RouteCall): RouteResponse {
  const { caller, sandbox } = call;
  const families = new Set(new LegacyParameters(call).list("resources", MAX_FAMILIES));
  const who = {
    app: "app" in caller ? caller.app.id : undefined,
    user: "user" in caller ? caller.user.id : undefined,
  };
  const resources: Record<string, Record<string, object>> = {};
  for (const route of sandbox.limitedRoutes) {
    const { family, name } = namesOf(route);
    if (family === undefined || (families.size > 0 && !families.has(family))) continue;
    const remainingBudget = sandbox.limits.left(route, who, sandbox.settings.limits);
    if (remainingBudget !== undefined)
      resources[family] = { ...resources[family], [name]: remainingBudget };
  }
  const context =
    caller.kind === "oauth1"
      ? { access_token: caller.token }
      : { application: "app" in caller ? caller.app.consumerKey : "" };
  return legacyBody({ rate_limit_context: context, resources });
}

/**
 * Returns family and name of a route, for example `statuses` and `/statuses/show/:id`. A method other than GET is
 * appended to both, as in `statuses&POST`.
 */
function namesOf({ method, path }: LimitedRoute): { family: string | undefined; name: string } {
  const isPlatforms = /^\/(1\.1|2)\//.test(path);
  const segments = path
    .replace(/^\/(1\.1|2)\//, "")
    .replace(/\.json$/, "")
    .split("/")
    .map((segment) => (segment === ":file" ? ":id" : (PATH_WORDS[segment] ?? segment)));
  const suffix = method === "GET" ? "" : `&${method}`;
  const family = isPlatforms ? `${segments[0]}${suffix}` : undefined;
  return { family, name: `/${segments.join("/")}${suffix}` };
}
