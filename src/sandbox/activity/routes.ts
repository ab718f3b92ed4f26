import { PLAN_LIMITS } from "../../protocol/limits.ts";
import { documented } from "../kernel/ledger.ts";
import { findUser } from "../model/accounts.ts";
import { projects, findApp, planOf } from "../model/apps.ts";
import { appOf, userOf } from "../auth/caller.ts";
import type { RouteResponse, RouteCall, Route } from "../server/route.ts";
import { findWebhook } from "../model/webhooks.ts";
import { subscriptions } from "../model/activity.ts";
import { SECTION } from "./ledger.ts";
import { activitiesRoutes } from "./activities-routes.ts";
import { againRoutes } from "./again-routes.ts";
import { pendingRoutes } from "./pending-routes.ts";
import { portalRoutes } from "./portal-routes.ts";
import { replayRoutes } from "./replay-routes.ts";
import { removeAuthorization, subscribe, subscribedUsers, unsubscribe } from "./subscribe.ts";

const all = "/2/account_activity/webhooks/:webhook_id/subscriptions/all";

const USER_ROUTE = {
  ledger: documented(SECTION),
  auth: ["oauth1"],
  level: "read-write-directmessages",
  limits: { user: 500 },
} as const;

const APP_ROUTE = {
  ledger: documented(SECTION),
  auth: ["bearer"],
  limits: { app: 450 },
} as const;

export const routes: readonly Route[] = [
  {
    ...USER_ROUTE,
    method: "POST",
    path: all,
    handle: (call) => {
      const app = appOf(call.caller);
      subscribe(call.sandbox, app, webhookOf(call), userOf(call.caller));
      return { body: { data: { subscribed: true } } };
    },
  },
  {
    ...USER_ROUTE,
    method: "GET",
    path: all,
    handle: (call) => {
      const pair = `${webhookOf(call).id}:${userOf(call.caller).id}`;
      const subscription = subscriptions.in(call.sandbox.world).first("pair", pair);
      return { body: { data: { subscribed: subscription !== undefined } } };
    },
  },
  {
    ...APP_ROUTE,
    method: "DELETE",
    path: "/2/account_activity/webhooks/:webhook_id/subscriptions/:user_id/all",
    handle: (call) => {
      unsubscribe(call.sandbox, webhookOf(call), call.params["user_id"] ?? "");
      return { body: { data: { subscribed: false } } };
    },
  },
  { ...APP_ROUTE, method: "GET", path: `${all}/list`, handle: list },
  {
    ...APP_ROUTE,
    method: "GET",
    path: "/2/account_activity/subscriptions/count",
    ledger: documented(SECTION, "`account_name` is the project's name (assumed)."),
    handle: count,
  },
  ...replayRoutes,
  ...activitiesRoutes,
  ...portalRoutes,
  ...againRoutes,
  ...pendingRoutes,
  {
    method: "DELETE",
    path: "/_sandbox/users/:id/apps/:app_id",
    ledger: documented(SECTION, "Takes the place of the user's settings page."),
    auth: ["control"],
    handle: ({ sandbox, params }) => {
      const user = findUser(sandbox, params["id"] ?? "");
      removeAuthorization(sandbox, findApp(sandbox, params["app_id"] ?? ""), user);
      return { body: { revoked: true } };
    },
  },
];

function webhookOf({ sandbox, caller, params }: RouteCall): ReturnType<typeof findWebhook> {
  return findWebhook(sandbox, appOf(caller), params["webhook_id"] ?? "");
}

function list(call: RouteCall): RouteResponse {
  const webhook = webhookOf(call);
  const rows = subscriptions.in(call.sandbox.world).where("webhook", webhook.id);
  return {
    body: {
      data: {
        application_id: webhook.appId,
        webhook_id: webhook.id,
        webhook_url: webhook.url,
        subscriptions: rows.map(({ userId }) => ({ user_id: userId })),
      },
    },
  };
}

/** Counts subscriptions. All four values are strings; the count of message-only subscriptions is always 0. */
function count({ sandbox, caller }: RouteCall): RouteResponse {
  const app = appOf(caller);
  return {
    body: {
      data: {
        account_name: projects.in(sandbox.world).get(app.projectId)?.name ?? app.name,
        provisioned_count: String(PLAN_LIMITS[planOf(sandbox, app)].subscriptions),
        subscriptions_count_all: String(subscribedUsers(sandbox, app).size),
        subscriptions_count_direct_messages: "0",
      },
    },
  };
}
