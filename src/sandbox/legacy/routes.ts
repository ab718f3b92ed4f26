import { PLAN_LIMITS } from "../../interface/limits.ts";
import { subscriptions } from "../activity/entities.ts";
import { subscribe, subscribedUsers, unsubscribe } from "../activity/subscribe.ts";
import { projects } from "../apps/entities.ts";
import { appOf, userOf } from "../auth/caller.ts";
import type { Answer, Call, Route } from "../kernel/route.ts";
import { type Webhook, webhookTable } from "../webhooks/entities.ts";
import { removeWebhook } from "../webhooks/remove.ts";
import { checkWebhook, findWebhook, planOf, registerWebhook } from "../webhooks/rules.ts";
import { Refusal } from "../kernel/refusal.ts";
import { inOldWords, nowhere } from "./refusals.ts";

/** The environment's name is for the developer's eyes: an app has one, whatever it is called. */
const ENV = "/1.1/account_activity/all/:env";

const ofOwner = { auth: ["oauth1"], limits: { user: 450 } } as const;
const ofApp = { auth: ["bearer"], limits: { app: 450 } } as const;
const ofUser = {
  auth: ["oauth1"],
  level: "read-write-directmessages",
  limits: { user: 500 },
} as const;

const DONE: Answer = { status: 204 };

export const routes: readonly Route[] = (
  [
    { ...ofOwner, method: "POST", path: `${ENV}/webhooks.json`, handle: register },
    {
      ...ofApp,
      method: "GET",
      path: `${ENV}/webhooks.json`,
      handle: (call) => ({ body: webhooksOf(call).map(render) }),
    },
    {
      ...ofOwner,
      method: "PUT",
      path: `${ENV}/webhooks/:file`,
      handle: async (call) => {
        const webhook = named(call);
        const failed = await checkWebhook(call.sandbox, appOf(call.caller), webhook);
        if (failed !== undefined) throw Refusal.reason("CrcValidationFailed", failed);
        return DONE;
      },
    },
    {
      ...ofOwner,
      method: "DELETE",
      path: `${ENV}/webhooks/:file`,
      handle: (call) => {
        removeWebhook(call.sandbox, named(call));
        return DONE;
      },
    },
    {
      ...ofUser,
      method: "POST",
      path: `${ENV}/subscriptions.json`,
      handle: (call) => {
        subscribe(call.sandbox, appOf(call.caller), theWebhook(call), userOf(call.caller));
        return DONE;
      },
    },
    {
      ...ofUser,
      method: "GET",
      path: `${ENV}/subscriptions.json`,
      handle: (call) => {
        const pair = `${theWebhook(call).id}:${userOf(call.caller).id}`;
        if (subscriptions.in(call.sandbox.world).first("pair", pair) === undefined) throw nowhere();
        return DONE;
      },
    },
    { ...ofApp, method: "GET", path: `${ENV}/subscriptions/list.json`, handle: list },
    {
      ...ofApp,
      method: "DELETE",
      path: `${ENV}/subscriptions/:file`,
      handle: (call) => {
        unsubscribe(call.sandbox, theWebhook(call), idOf(call));
        return DONE;
      },
    },
    { ...ofApp, method: "GET", path: `${ENV}/subscriptions/count.json`, handle: count },
    {
      ...ofApp,
      method: "GET",
      path: "/1.1/account_activity/all/subscriptions/count.json",
      handle: count,
    },
  ] satisfies readonly Route[]
).map(inOldWords);

/** The URL stands in the query, or in a form. */
async function register({ sandbox, caller, query, body }: Call): Promise<Answer> {
  const url = query.get("url") ?? (body.kind === "form" ? body.fields.get("url") : null);
  return { body: render(await registerWebhook(sandbox, appOf(caller), url ?? undefined)) };
}

function render({ id, url, valid, createdAt }: Webhook): Record<string, unknown> {
  const created_timestamp = new Date(createdAt).toISOString().replace(/\.\d+Z$/, "Z");
  return { id, url, valid, created_timestamp };
}

function webhooksOf({ sandbox, caller }: Call): Webhook[] {
  return webhookTable.in(sandbox.world).where("app", appOf(caller).id);
}

/** An environment has one webhook, and subscriptions need not name it. */
function theWebhook(call: Call): Webhook {
  const [first] = webhooksOf(call);
  if (first === undefined) throw nowhere();
  return first;
}

function named(call: Call): Webhook {
  return findWebhook(call.sandbox, appOf(call.caller), idOf(call));
}

/** The id before `.json` at the path's end. */
function idOf({ params }: Call): string {
  const id = /^(\d{1,19})\.json$/.exec(params["file"] ?? "")?.[1];
  if (id === undefined) throw nowhere();
  return id;
}

function list(call: Call): Answer {
  const rows = subscriptions.in(call.sandbox.world).where("webhook", theWebhook(call).id);
  return {
    body: {
      environment: call.params["env"],
      application_id: appOf(call.caller).id,
      subscriptions: rows.map(({ userId }) => ({ user_id: userId })),
    },
  };
}

/** Counts are text. Older clients read `subscriptions_count`. */
function count({ sandbox, caller }: Call): Answer {
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
