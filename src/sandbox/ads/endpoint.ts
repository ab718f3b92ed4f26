import { ADS_VERSION } from "../../interface/ads.ts";
import type { Answer, Call, Route } from "../kernel/route.ts";
import { pathParams } from "./query.ts";
import { adsRefusal, VERSION_HEADERS } from "./refusal.ts";

/** How an area's route is told here: its version and caller are the same everywhere. */
export interface AdsEndpoint {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the version, such as `/conversion_event`. */
  readonly path: string;
  readonly limits: NonNullable<Route["limits"]>;
  /** Versions besides the current one that still answer, with a warning. */
  readonly older?: readonly string[];
  readonly handle: (call: Call) => Answer;
}

/** A route of the advertising interface: signed for a user, versioned, writes for writers. */
export function adsRoute(endpoint: AdsEndpoint): Route {
  const { method, limits, older = [] } = endpoint;
  return {
    method,
    path: `/ads/:version${endpoint.path}`,
    auth: ["oauth1"],
    level: method === "GET" ? "read" : "read-write",
    limits,
    handle(call) {
      const version = call.params["version"] ?? "";
      const old = older.includes(version);
      if (version !== ADS_VERSION && !old) throw unknownVersion(call, version);
      const { headers, ...answer } = endpoint.handle(call);
      const warning = { "x-api-warn": `Version ${version} is not current; ${ADS_VERSION} is.` };
      return { ...answer, headers: { ...headers, ...VERSION_HEADERS, ...(old ? warning : {}) } };
    },
  };
}

function unknownVersion(call: Call, version: string) {
  const message = `There is no version ${version} of ${call.method} ${call.path}; use ${ADS_VERSION}.`;
  return adsRefusal(404, [{ code: "ROUTE_NOT_FOUND", message }], pathParams(call));
}
