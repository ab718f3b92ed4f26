import { readFileSync } from "node:fs";
import * as z from "zod";
import { OWN, controlInput, sequence } from "../server/control-input.ts";
import type { RouteResponse, RouteCall, Route } from "../server/route.ts";
import { targetFault } from "../kernel/delivery/hosts.ts";
import type { FeedItem } from "../kernel/delivery/feed.ts";
import { faultRequest, impossibleFault, sameEvent } from "../kernel/delivery/faults.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { jsonParts } from "../kernel/world/sandbox-world.ts";
import { restoreFromJson } from "../kernel/world/restore-from-json.ts";
import { settingsPatch } from "../kernel/settings.ts";
import { findUser } from "../model/accounts.ts";
import { act, actInput } from "./act.ts";
import { exchangeRoutes } from "./exchange-routes.ts";
import type { LiveCost } from "./objects.ts";
import { streamRoutes } from "./stream-routes.ts";
import { worldRoutes } from "./world-routes.ts";

/** The package's version, returned by `health`. */
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")));

const clockInput = z.union([
  z.strictObject({
    advance_ms: z
      .number()
      .min(0)
      .max(366 * 86_400_000),
  }),
  z.strictObject({ set: z.iso.datetime({ offset: true }) }),
  z.strictObject({ frozen: z.boolean() }),
]);

export const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/_sandbox/health",
    ...OWN,
    handle: ({ sandbox: { world, time } }) => ({
      body: {
        status: "ok",
        version,
        now: time.clock.state().now,
        seed: world.seed,
        world_id: world.worldId,
      },
    }),
  },
  {
    method: "POST",
    path: "/_sandbox/reset",
    ...OWN,
    handle: async (call) => {
      const seed = z.union([z.string().min(1), z.number()]).optional();
      const input = controlInput(call, z.strictObject({ seed }));
      await call.sandbox.time.idle();
      call.sandbox.reset(input.seed === undefined ? undefined : String(input.seed));
      return { body: { world_id: call.sandbox.world.worldId, seed: call.sandbox.world.seed } };
    },
  },
  {
    method: "GET",
    path: "/_sandbox/state",
    ...OWN,
    handle: ({ sandbox }) => ({ parts: jsonParts(sandbox.save()) }),
  },
  {
    method: "PUT",
    path: "/_sandbox/state",
    ...OWN,
    body: { maxBytes: 4 * 1024 * 1024 * 1024 - 1, maxValues: Infinity },
    handle: async (call) => {
      if (call.body.kind === "unparsed")
        await restoreFromJson(call.body.raw, call.sandbox.beginRestore());
      else call.sandbox.restore(controlInput(call, z.unknown()));
      return { body: { world_id: call.sandbox.world.worldId } };
    },
  },
  {
    method: "GET",
    path: "/_sandbox/hosts",
    ...OWN,
    handle: ({ sandbox }) => ({ body: { hosts: sandbox.hosts.list() } }),
  },
  { method: "PUT", path: "/_sandbox/hosts/:host", ...OWN, handle: putHost },
  {
    method: "GET",
    path: "/_sandbox/clock",
    ...OWN,
    handle: ({ sandbox: { time } }) => {
      const next = time.nextAt();
      const due = next !== undefined && { next_due_at: new Date(next).toISOString() };
      return { body: { ...time.clock.state(), ...due } };
    },
  },
  { method: "POST", path: "/_sandbox/clock", ...OWN, handle: moveClock },
  {
    method: "GET",
    path: "/_sandbox/faults",
    ...OWN,
    handle: ({ sandbox }) => ({ body: { faults: sandbox.faults.list() } }),
  },
  {
    method: "POST",
    path: "/_sandbox/faults",
    ...OWN,
    handle: (call) => {
      const request = controlInput(call, faultRequest);
      const reason = impossibleFault(request);
      if (reason !== undefined) throw ApiError.control(400, "invalid_request", reason);
      return { body: { id: call.sandbox.faults.add(request) } };
    },
  },
  {
    method: "DELETE",
    path: "/_sandbox/faults",
    ...OWN,
    handle: ({ sandbox }) => ({ body: { removed: sandbox.faults.remove() } }),
  },
  {
    method: "DELETE",
    path: "/_sandbox/faults/:id",
    ...OWN,
    handle: ({ sandbox, params }) => ({
      body: { removed: sandbox.faults.remove(params["id"] ?? "") },
    }),
  },
  {
    method: "GET",
    path: "/_sandbox/live_cost",
    ...OWN,
    handle: ({ sandbox: { limits, settings } }) => ({
      body: {
        enabled: settings.limits.enabled,
        requests: limits.costs().map(({ windowMs, ...cost }) => ({ ...cost, window_ms: windowMs })),
      } satisfies LiveCost,
    }),
  },
  {
    method: "GET",
    path: "/_sandbox/deliveries",
    ...OWN,
    handle: ({ sandbox, query }) => {
      const event = query.get("event");
      const all = sandbox.deliveries.after(sequence(query.get("after"), "after"));
      const matchingDeliveries =
        event === null ? all : all.filter((one) => sameEvent(event, one.event));
      return { body: { deliveries: matchingDeliveries } };
    },
  },
  {
    method: "POST",
    path: "/_sandbox/users/:id/act",
    ...OWN,
    handle: (call) => ({
      body: act(
        call.sandbox,
        findUser(call.sandbox, call.params["id"] ?? ""),
        controlInput(call, actInput),
      ),
    }),
  },
  { method: "GET", path: "/_sandbox/events", ...OWN, handle: streamEvents },
  ...worldRoutes,
  ...streamRoutes,
  ...exchangeRoutes,
  {
    method: "GET",
    path: "/_sandbox/ledger",
    ...OWN,
    handle: ({ sandbox }) => ({ body: { ledger: sandbox.ledger } }),
  },
  {
    method: "GET",
    path: "/_sandbox/settings",
    ...OWN,
    handle: ({ sandbox }) => ({ body: sandbox.settings }),
  },
  {
    method: "PATCH",
    path: "/_sandbox/settings",
    ...OWN,
    handle: (call) => {
      call.sandbox.changeSettings(controlInput(call, settingsPatch));
      return { body: call.sandbox.settings };
    },
  },
];

function putHost(call: RouteCall): RouteResponse {
  const { target, ca } = controlInput(
    call,
    z.strictObject({
      target: z.url({ protocol: /^https?$/ }),
      ca: z.string().includes("-----BEGIN CERTIFICATE-----").optional(),
    }),
  );
  const host = call.params["host"] ?? "";
  const fault = targetFault(target);
  if (fault !== undefined) throw ApiError.control(400, "target_not_local", fault);
  call.sandbox.hosts.set(host, target, ca);
  return { body: { host: host.toLowerCase(), target } };
}

async function moveClock(call: RouteCall): Promise<RouteResponse> {
  const input = controlInput(call, clockInput);
  const { time, feed } = call.sandbox;
  const before = time.now();
  const state =
    "advance_ms" in input
      ? await time.move({ advance: input.advance_ms })
      : "set" in input
        ? await time.move({ set: Date.parse(input.set) })
        : await time.move({ frozen: input.frozen });
  feed.publish("clock", { ...state, jumped_ms: time.now() - before });
  return { body: state };
}

function streamEvents(call: RouteCall): RouteResponse {
  const since = call.headers["last-event-id"] ?? call.query.get("after");
  const from = sequence(since ?? null, "Last-Event-ID");
  const { sandbox } = call;
  return {
    stream: ({ write }) => {
      void write(": the sandbox's feed\n\n");
      let turn: Promise<void> = Promise.resolve();
      const follow = (item: FeedItem): Promise<void> => {
        const text = `id: ${item.seq}\nevent: ${item.type}\ndata: ${JSON.stringify(item)}\n\n`;
        // The changes that a feed item reports must be on disk before a subscriber gets the item.
        turn = turn.then(() => sandbox.keep());
        const sending = turn.then(() => write(text));
        // If the save fails, the item is not published. The request that made the change returns the error.
        turn = turn.catch(() => undefined);
        return sending.catch(() => undefined);
      };
      for (const item of since === null ? [] : sandbox.feed.after(from)) void follow(item);
      return sandbox.feed.subscribe(follow);
    },
  };
}
