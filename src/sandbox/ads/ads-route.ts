import { ADS_VERSION } from "../../protocol/ads.ts";
import { documented } from "../kernel/ledger.ts";
import type { RouteResponse, RouteCall, Route } from "../server/route.ts";
import { pathParams } from "./query.ts";
import { adsError, VERSION_HEADERS } from "./ads-error.ts";

/** A route of the advertising interface, without the version and access that all routes share. */
export interface AdsEndpoint {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path below the version, such as `/conversion_event`. */
  readonly path: string;
  readonly limits: NonNullable<Route["limits"]>;
  /** Remark for the fidelity ledger, beside the name of the documentation's section. */
  readonly note?: string;
  /** Older versions under which the route also works, with a warning header. */
  readonly olderVersions?: readonly string[];
  readonly handle: (call: RouteCall) => RouteResponse;
}

/** Creates a route that requires a user's OAuth 1.0a signature, the current version, and write access for writes. */
export function adsRoute(endpoint: AdsEndpoint): Route {
  const { method, limits, note, olderVersions = [] } = endpoint;
  return {
    method,
    path: `/ads/:version${endpoint.path}`,
    auth: ["oauth1"],
    level: method === "GET" ? "read" : "read-write",
    limits,
    ledger: documented("Advertising measurement", note),
    handle(call) {
      const version = call.params["version"] ?? "";
      const old = olderVersions.includes(version);
      if (version !== ADS_VERSION && !old) throw unknownVersion(call, version);
      const { headers, ...answer } = endpoint.handle(call);
      const warning = { "x-api-warn": `Version ${version} is not current; ${ADS_VERSION} is.` };
      return { ...answer, headers: { ...headers, ...VERSION_HEADERS, ...(old ? warning : {}) } };
    },
  };
}

function unknownVersion(call: RouteCall, version: string) {
  const message = `There is no version ${version} of ${call.method} ${call.path}; use ${ADS_VERSION}.`;
  return adsError(404, [{ code: "ROUTE_NOT_FOUND", message }], pathParams(call));
}
