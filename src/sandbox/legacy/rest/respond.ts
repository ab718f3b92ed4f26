import { stringifyEvent } from "../../rendering/events/wire.ts";
import type { RouteResponse } from "../../server/route.ts";

/** Creates a response of version 1.1: in the tweet dialect, with ids as numbers of any length. */
export function legacyBody(body: object): RouteResponse {
  return {
    text: stringifyEvent(body, "tweet"),
    headers: { "content-type": "application/json; charset=utf-8" },
  };
}
