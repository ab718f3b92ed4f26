import { stringifyEvent } from "../../rendering/events/wire.ts";
import type { RouteResponse } from "../../server/route.ts";

/** Creates a version 1.1 JSON response: with `tweet` in names, not `post`, and with ids as numbers of any length. */
export function legacyBody(body: object): RouteResponse {
  return {
    text: stringifyEvent(body, "tweet"),
    headers: { "content-type": "application/json; charset=utf-8" },
  };
}
