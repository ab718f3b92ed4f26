import * as z from "zod";
import { STREAM_ENDINGS } from "../kernel/delivery/open-streams.ts";
import type { Route, RouteCall, RouteResponse } from "../server/route.ts";
import { OWN, controlInput } from "../server/control-input.ts";

/** Fault for open streams, optionally limited to one stream, kind or app. */
export const streamsInput = z.strictObject({
  type: z.enum([...STREAM_ENDINGS, "stall"]),
  ms: z.int().min(0).max(3_600_000).optional(),
  id: z.string().optional(),
  kind: z.string().optional(),
  app_id: z.string().optional(),
});

/** Routes that list open streams and end or stall them. */
export const streamRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/_sandbox/streams",
    ...OWN,
    handle: ({ sandbox }) => ({
      body: { streams: sandbox.streams.all().map((stream) => stream.state()) },
    }),
  },
  { method: "POST", path: "/_sandbox/streams", ...OWN, handle: strikeStreams },
];

function strikeStreams(call: RouteCall): RouteResponse {
  const { type, ms, ...which } = controlInput(call, streamsInput);
  const struck = call.sandbox.streams.all().filter((stream) => {
    const state = stream.state();
    return Object.entries(which).every(
      ([key, value]) => value === undefined || state[key] === value,
    );
  });
  for (const stream of struck) {
    if (type === "stall") stream.stall(ms);
    else stream.endBy(type);
  }
  return { body: { streams: struck.length } };
}
