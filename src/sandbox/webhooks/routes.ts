import { documented } from "../kernel/ledger.ts";
import { appOf } from "../auth/caller.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { bodyField } from "../server/body.ts";
import type { Route } from "../server/route.ts";
import { type WebhookRow, webhookTable, findWebhook } from "../model/webhooks.ts";
import { portalRoutes } from "./portal-routes.ts";
import { removeWebhook, checkWebhook, registerWebhook } from "./rules.ts";

const SECTION = "Webhook management";
const limits = { app: 450 };

export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/2/webhooks",
    ledger: documented(SECTION),
    auth: ["bearer"],
    limits,
    handle: async (call) => {
      const webhook = await registerWebhook(
        call.sandbox,
        appOf(call.caller),
        bodyField(call.body, "url"),
      );
      return { body: { data: renderWebhook(webhook) } };
    },
  },
  {
    method: "GET",
    path: "/2/webhooks",
    ledger: documented(SECTION),
    auth: ["bearer"],
    limits,
    handle: ({ sandbox, caller }) => {
      const data = webhookTable.in(sandbox.world).where("app", appOf(caller).id).map(renderWebhook);
      return { body: { data, meta: { result_count: data.length } } };
    },
  },
  {
    method: "PUT",
    path: "/2/webhooks/:webhook_id",
    ledger: documented(
      SECTION,
      "A failed check answers CrcValidationFailed and leaves `valid` false.",
    ),
    auth: ["bearer"],
    limits,
    handle: async ({ sandbox, caller, params }) => {
      const app = appOf(caller);
      const webhook = findWebhook(sandbox, app, params["webhook_id"] ?? "");
      const failed = await checkWebhook(sandbox, app, webhook);
      if (failed !== undefined) throw ApiError.reason("CrcValidationFailed", failed);
      return { body: { data: { valid: true, attempted: true } } };
    },
  },
  {
    method: "DELETE",
    path: "/2/webhooks/:webhook_id",
    ledger: documented(SECTION, "Its subscriptions are deleted, too (assumed)."),
    auth: ["bearer"],
    limits,
    handle: ({ sandbox, caller, params }) => {
      removeWebhook(sandbox, findWebhook(sandbox, appOf(caller), params["webhook_id"] ?? ""));
      return { body: { data: { deleted: true } } };
    },
  },
  ...portalRoutes,
];

/** Renders a webhook for the webhook endpoints of version 2. */
function renderWebhook({ id, url, valid, createdAt }: WebhookRow): Record<string, unknown> {
  return { created_at: new Date(createdAt).toISOString(), id, url, valid };
}
