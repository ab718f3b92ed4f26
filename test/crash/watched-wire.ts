import { subscribe } from "node:diagnostics_channel";
import type { PointName } from "./points.ts";
import type { Pass } from "./trigger.ts";

interface Outgoing {
  readonly method: string;
  readonly path: string;
}

/**
 * Calls `pass` at the points of the network: deliveries that arrive, and messages that are sent. Source: the
 * diagnostics channels of Node and undici.
 */
export function watchWire(pass: Pass): void {
  subscribe("http.server.request.start", (message) => {
    if (requestOf(message)?.method === "POST") pass("delivery:arrived");
  });
  subscribe("http.server.response.finish", (message) => {
    if (requestOf(message)?.method === "POST") pass("acknowledged:after");
  });
  const outgoing = (channel: string, message: PointName, readBack?: PointName): void =>
    subscribe(channel, (event) => {
      const request = requestOf(event);
      if (request === undefined) return;
      if (request.method === "POST" && request.path.endsWith("/messages")) pass(message);
      if (readBack !== undefined && request.path.includes("/dm_events")) pass(readBack);
    });
  outgoing("undici:client:sendHeaders", "write:before", "read-back:before");
  outgoing("undici:request:bodySent", "write:after");
  outgoing("undici:request:headers", "answer:head");
  outgoing("undici:request:trailers", "answer:after", "read-back:after");
}

function requestOf(event: unknown): Outgoing | undefined {
  if (typeof event !== "object" || event === null || !("request" in event)) return undefined;
  const { method, path, url } = Object(event.request);
  return typeof method === "string" ? { method, path: String(path ?? url ?? "") } : undefined;
}
