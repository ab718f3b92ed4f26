import * as z from "zod";
import {
  ACTIVITY_DIRECTIONS,
  ACTIVITY_EVENT_TYPES,
  OLD_EVENT_TYPES,
} from "../../protocol/activity-event-types.ts";
import { appOf } from "../auth/caller.ts";
import { idInput } from "../kernel/http/id-input.ts";
import { metaOf, pageOf } from "../kernel/world/paging.ts";
import { Query } from "../data-query/query.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { jsonInput } from "../server/input.ts";
import type { Route, RouteCall, RouteResponse } from "../server/route.ts";
import { type ActivitySubscriptionRow, activitySubscriptions } from "../model/activity.ts";
import { renderFilter } from "../rendering/events/activity-event.ts";
import {
  changeSubscription,
  countSubscriptions,
  createSubscription,
  deleteSubscription,
} from "./rules.ts";
import { connect } from "./stream-request.ts";
import { assumed, type Fidelity } from "../kernel/ledger.ts";

/** Ledger entry for endpoints that only the live service's API description documents. */
const PUBLISHED: Fidelity = assumed(
  "Paths, bodies, event types and scopes follow the live service's API description 2.167.",
);

const ALL = "/2/activity/subscriptions";
const ONE = `${ALL}/:subscription_id`;
const APP = { ledger: PUBLISHED, auth: ["bearer"], limits: { app: 450 } } as const;
const ANYBODY = ["bearer", "oauth1", "oauth2"] as const;
const LIMITS = { app: 450, user: 500 } as const;
const PAGE_SIZES = { min: 1, max: 1000, default: 1000 } as const;
const IDS_PER_REQUEST = 100;

const tag = z.string().min(1).max(200);
const createInput = z.strictObject({
  event_type: z.preprocess(
    (eventName) =>
      typeof eventName === "string" ? (OLD_EVENT_TYPES[eventName] ?? eventName) : eventName,
    z.enum(ACTIVITY_EVENT_TYPES),
  ),
  filter: z.strictObject({
    user_id: idInput.optional(),
    direction: z.enum(ACTIVITY_DIRECTIONS).optional(),
    keyword: z.string().min(1).max(150).optional(),
  }),
  tag: tag.optional(),
  webhook_id: idInput.optional(),
});
const changeInput = z.strictObject({ tag: tag.optional(), webhook_id: idInput.optional() });

export const routes: readonly Route[] = [
  { method: "POST", path: ALL, ledger: PUBLISHED, auth: ANYBODY, limits: LIMITS, handle: create },
  {
    method: "GET",
    path: ALL,
    ledger: PUBLISHED,
    auth: ANYBODY,
    scopes: ["like.read", "tweet.read"],
    limits: LIMITS,
    handle: list,
  },
  { ...APP, method: "PUT", path: ONE, handle: change },
  { ...APP, method: "DELETE", path: ONE, handle: remove },
  { ...APP, method: "DELETE", path: ALL, handle: removeSome },
  { ...APP, method: "GET", path: "/2/activity/stream", limits: { app: 50 }, handle: connect },
];

function create(call: RouteCall): RouteResponse {
  const input = jsonInput(call, createInput);
  const { user_id: userId, direction, keyword } = input.filter;
  const row = createSubscription(call.sandbox, call.caller, {
    eventType: input.event_type,
    userId,
    direction,
    keyword,
    tag: input.tag,
    webhookId: input.webhook_id,
  });
  return { body: { data: { subscription: render(row) }, ...totalOf(call) } };
}

function list(call: RouteCall): RouteResponse {
  const query = new Query(call);
  const request = query.page(PAGE_SIZES);
  query.finish();
  const table = activitySubscriptions.in(call.sandbox.world);
  const { id: app } = appOf(call.caller);
  const page = pageOf<ActivitySubscriptionRow>(
    {
      descending: (below) => table.descending("app", app, below),
      ascending: (above) => table.ascending("app", app, above),
      orderOf: ({ id }) => id,
    },
    request,
  );
  return { body: { ...dataOf(page.items.map(render)), meta: metaOf(page) } };
}

function change(call: RouteCall): RouteResponse {
  const input = jsonInput(call, changeInput);
  const app = appOf(call.caller);
  const row = changeSubscription(call.sandbox, app, idOf(call), {
    tag: input.tag,
    webhookId: input.webhook_id,
  });
  const total_subscriptions = countSubscriptions(call.sandbox, app);
  return { body: { data: { subscription: render(row), total_subscriptions } } };
}

function remove(call: RouteCall): RouteResponse {
  if (!deleteSubscription(call.sandbox, appOf(call.caller), idOf(call))) {
    throw ApiError.reason("SubscriptionNotFound", `The app has no subscription ${idOf(call)}.`);
  }
  return { body: { data: { deleted: true }, ...totalOf(call) } };
}

/** Deletes several subscriptions. Ids that can't be deleted are listed in `errors`. */
function removeSome(call: RouteCall): RouteResponse {
  const query = new Query(call);
  const ids = query.ids("ids", IDS_PER_REQUEST);
  query.finish();
  const app = appOf(call.caller);
  const deleted = ids.filter((id) => deleteSubscription(call.sandbox, app, id));
  const errors = ids
    .filter((id) => !deleted.includes(id))
    .map((id) => notDeleted(call, id, `The app has no subscription ${id}.`));
  return {
    body: {
      ...(call.dialect === "tweet"
        ? { data: { deleted: deleted.length > 0 } }
        : dataOf(deleted.map((subscription_id) => ({ subscription_id, deleted: true })))),
      ...(errors.length === 0 ? {} : { errors }),
      ...totalOf(call),
    },
  };
}

/** Renders the error for a subscription that was not deleted: with a reason, or as a problem in the tweet dialect. */
function notDeleted({ origin, dialect }: RouteCall, subscription_id: string, message: string) {
  if (dialect === "post") return { subscription_id, reason: "SubscriptionNotFound", message };
  const type = `${origin}/2/problems/invalid-request`;
  return { title: "Invalid Request", type, detail: message, subscription_id };
}

/** Returns the list of a response; an empty list is left out. */
function dataOf(rows: readonly object[]): { data?: readonly object[] } {
  return rows.length === 0 ? {} : { data: rows };
}

function idOf({ params }: RouteCall): string {
  return params["subscription_id"] ?? "";
}

function totalOf({ sandbox, caller }: RouteCall) {
  return { meta: { total_subscriptions: countSubscriptions(sandbox, appOf(caller)) } };
}

function render(row: ActivitySubscriptionRow): Record<string, unknown> {
  const { id, eventType, tag: named, webhookId, createdAt, updatedAt } = row;
  return {
    subscription_id: id,
    event_type: eventType,
    filter: renderFilter(row),
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
    ...(named === undefined ? {} : { tag: named }),
    ...(webhookId === undefined ? {} : { webhook_id: webhookId }),
  };
}
