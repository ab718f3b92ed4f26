import { PLAN_LIMITS } from "../../protocol/limits.ts";
import { subscriptions } from "../model/activity.ts";
import { subscribe, subscribedUsers, unsubscribe } from "../activity/subscribe.ts";
import { projects, planOf } from "../model/apps.ts";
import { appOf, userOf } from "../auth/caller.ts";
import type { RouteResponse, RouteCall, Route } from "../server/route.ts";
import { type WebhookRow, webhookTable, findWebhook } from "../model/webhooks.ts";
import { removeWebhook, checkWebhook, registerWebhook } from "../webhooks/rules.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { LEGACY } from "./ledger.ts";
import { withLegacyErrors, notFound } from "./legacy-errors.ts";

const ALL = "/1.1/account_activity/all";
/** Path with an environment name. Any name is accepted, because each app has exactly one environment. */
const ENV = `${ALL}/:env`;

const ofOwner = { ledger: LEGACY, auth: ["oauth1"], limits: { user: 450 } } as const;
const ofApp = { ledger: LEGACY, auth: ["bearer"], limits: { app: 450 } } as const;
const ofBoth = {
  ledger: LEGACY,
  auth: ["oauth1", "bearer"],
  limits: { app: 450, user: 450 },
} as const;
const ofUser = {
  ledger: LEGACY,
  auth: ["oauth1"],
  level: "read-write-directmessages",
  limits: { user: 500 },
} as const;

const DONE: RouteResponse = { status: 204 };

export const routes: readonly Route[] = (
  [
    { ...ofOwner, method: "POST", path: `${ENV}/webhooks.json`, handle: register },
    {
      ...ofBoth,
      method: "GET",
      path: `${ENV}/webhooks.json`,
      handle: (call) => ({ body: webhooksOf(call).map(render) }),
    },
    { ...ofBoth, method: "GET", path: `${ALL}/webhooks.json`, handle: environments },
    {
      ...ofBoth,
      method: "PUT",
      path: `${ENV}/webhooks/:file`,
      handle: async (call) => {
        const webhook = webhookInPath(call);
        const failed = await checkWebhook(call.sandbox, appOf(call.caller), webhook);
        if (failed !== undefined) throw ApiError.reason("CrcValidationFailed", failed);
        return DONE;
      },
    },
    {
      ...ofOwner,
      method: "DELETE",
      path: `${ENV}/webhooks/:file`,
      handle: (call) => {
        removeWebhook(call.sandbox, webhookInPath(call));
        return DONE;
      },
    },
    {
      ...ofUser,
      method: "POST",
      path: `${ENV}/subscriptions.json`,
      handle: (call) => {
        subscribe(call.sandbox, appOf(call.caller), firstWebhook(call), userOf(call.caller));
        return DONE;
      },
    },
    {
      ...ofUser,
      method: "GET",
      path: `${ENV}/subscriptions.json`,
      handle: (call) => {
        const pair = `${firstWebhook(call).id}:${userOf(call.caller).id}`;
        if (subscriptions.in(call.sandbox.world).first("pair", pair) === undefined)
          throw notFound();
        return DONE;
      },
    },
    {
      ...ofUser,
      method: "DELETE",
      path: `${ENV}/subscriptions.json`,
      handle: (call) => {
        unsubscribe(call.sandbox, firstWebhook(call), userOf(call.caller).id);
        return DONE;
      },
    },
    { ...ofApp, method: "GET", path: `${ENV}/subscriptions/list.json`, handle: list },
    {
      ...ofApp,
      method: "DELETE",
      path: `${ENV}/subscriptions/:file`,
      handle: (call) => {
        unsubscribe(call.sandbox, firstWebhook(call), idOf(call));
        return DONE;
      },
    },
    { ...ofApp, method: "GET", path: `${ENV}/subscriptions/count.json`, handle: count },
    { ...ofApp, method: "GET", path: `${ALL}/subscriptions/count.json`, handle: count },
    { ...ofApp, method: "GET", path: `${ALL}/count.json`, handle: count },
  ] satisfies readonly Route[]
).map(withLegacyErrors);

/** Registers a webhook. The URL is in the query, or in a form. */
async function register({ sandbox, caller, query, body }: RouteCall): Promise<RouteResponse> {
  const url = query.get("url") ?? (body.kind === "form" ? body.fields.get("url") : null);
  return { body: render(await registerWebhook(sandbox, appOf(caller), url ?? undefined)) };
}

function render({ id, url, valid, createdAt }: WebhookRow): Record<string, unknown> {
  const created_timestamp = new Date(createdAt).toISOString().replace(/\.\d+Z$/, "Z");
  return { id, url, valid, created_timestamp };
}

/** Lists the app's webhooks as those of one environment. Its name, `default`, is an assumption. */
function environments(call: RouteCall): RouteResponse {
  const webhooks = webhooksOf(call).map(render);
  return { body: { environments: [{ environment_name: "default", webhooks }] } };
}

function webhooksOf({ sandbox, caller }: RouteCall): WebhookRow[] {
  return webhookTable.in(sandbox.world).where("app", appOf(caller).id);
}

/** Returns the app's first webhook, for requests about subscriptions, which do not name a webhook. */
function firstWebhook(call: RouteCall): WebhookRow {
  const [first] = webhooksOf(call);
  if (first === undefined) throw notFound();
  return first;
}

function webhookInPath(call: RouteCall): WebhookRow {
  return findWebhook(call.sandbox, appOf(call.caller), idOf(call));
}

/** Returns the id before `.json` at the path's end. */
function idOf({ params }: RouteCall): string {
  const id = /^(\d{1,19})\.json$/.exec(params["file"] ?? "")?.[1];
  if (id === undefined) throw notFound();
  return id;
}

function list(call: RouteCall): RouteResponse {
  const rows = subscriptions.in(call.sandbox.world).where("webhook", firstWebhook(call).id);
  return {
    body: {
      environment: call.params["env"],
      application_id: appOf(call.caller).id,
      subscriptions: rows.map(({ userId }) => ({ user_id: userId })),
    },
  };
}

/** Counts subscriptions. The counts are strings. Older clients read `subscriptions_count`. */
function count({ sandbox, caller }: RouteCall): RouteResponse {
  const app = appOf(caller);
  const counted = String(subscribedUsers(sandbox, app).size);
  return {
    body: {
      account_name: projects.in(sandbox.world).get(app.projectId)?.name ?? app.name,
      provisioned_count: String(PLAN_LIMITS[planOf(sandbox, app)].subscriptions),
      subscriptions_count: counted,
      subscriptions_count_all: counted,
      subscriptions_count_direct_messages: "0",
    },
  };
}
