import { ApiError } from "../kernel/http/api-error.ts";
import type { KeptExchange } from "../kernel/delivery/exchange-log.ts";
import type { Route, RouteCall, RouteResponse } from "../server/route.ts";
import { OWN, sequence } from "../server/control-input.ts";
import { readWhere } from "./where.ts";
import { exchangeHead, showExchange } from "./show-exchange.ts";

const USUAL = 100;
const MAX_EXCHANGES = 1_000;

/** Routes that show requests, deliveries and challenges as sent over the wire. */
export const exchangeRoutes: readonly Route[] = [
  { method: "GET", path: "/_sandbox/exchanges", ...OWN, handle: listExchanges },
  { method: "GET", path: "/_sandbox/exchanges/:seq", ...OWN, handle: oneExchange },
];

function listExchanges({ sandbox, query }: RouteCall): RouteResponse {
  const limit = query.has("limit") ? sequence(query.get("limit"), "limit") : USUAL;
  if (limit < 1 || limit > MAX_EXCHANGES) {
    throw ApiError.control(
      400,
      "invalid_request",
      `limit: write 1 to ${MAX_EXCHANGES}, got ${limit}`,
    );
  }
  const after = sequence(query.get("after"), "after");
  const laterExchanges = sandbox.exchanges.after(after, query.get("about") ?? "");
  const fault = query.get("fault");
  const where = query.get("where");
  const fits = where === null ? undefined : readWhere(where);
  const matchingExchanges = laterExchanges.filter(
    (one) =>
      (fault === null || isMetBy(one, fault)) &&
      (fits === undefined || fits(one.exchange.request.body.toString())),
  );
  return { body: { exchanges: matchingExchanges.slice(-limit).map(exchangeHead) } };
}

function isMetBy({ exchange: { about } }: KeptExchange, fault: string): boolean {
  const met = about["fault"];
  return fault === "any" ? met !== undefined : met === fault;
}

function oneExchange({ sandbox, params }: RouteCall): RouteResponse {
  const seq = sequence(params["seq"] ?? "", "seq");
  const storedExchange = sandbox.exchanges.get(seq);
  if (storedExchange !== undefined) return { body: showExchange(sandbox, storedExchange) };
  throw ApiError.control(
    404,
    "not_found",
    `There is no exchange ${seq} any more, or not yet: only the latest are kept.`,
  );
}
