import { subscribe } from "node:diagnostics_channel";
import type { PointName } from "./points.ts";
import type { Pass } from "./trigger.ts";

interface Outgoing {
  readonly method: string;
  readonly path: string;
}

/**
 * Passes the points of the wire, from the diagnostics of Node and undici: deliveries that come in, messages that go
 * out.
 */
export function watchWire(pass: Pass): void {
  subscribe("http.server.request.start", (message) => {
    if (requestOf(message)?.method === "POST") pass("delivery:arrived");
  });
  subscribe("http.server.response.finish", (message) => {
    if (requestOf(message)?.method === "POST") pass("acknowledged:after");
  });
  const outgoing = (channel: string, message: PointName, readBack?: PointName): void =>
    subscribe(channel, (told) => {
      const request = requestOf(told);
      if (request === undefined) return;
      if (request.method === "POST" && request.path.endsWith("/messages")) pass(message);
      if (readBack !== undefined && request.path.includes("/dm_events")) pass(readBack);
    });
  outgoing("undici:client:sendHeaders", "write:before", "read-back:before");
  outgoing("undici:request:bodySent", "write:after");
  outgoing("undici:request:headers", "answer:head");
  outgoing("undici:request:trailers", "answer:after", "read-back:after");
}

function requestOf(told: unknown): Outgoing | undefined {
  if (typeof told !== "object" || told === null || !("request" in told)) return undefined;
  const { method, path, url } = Object(told.request);
  return typeof method === "string" ? { method, path: String(path ?? url ?? "") } : undefined;
}
