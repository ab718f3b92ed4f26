import { appOf } from "../auth/caller.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Call, Route } from "../kernel/route.ts";
import { webhookTable } from "./entities.ts";
import { removeWebhook } from "./remove.ts";
import { renderWebhook } from "./render.ts";
import { checkWebhook, findWebhook, registerWebhook } from "./rules.ts";

const limits = { app: 450 };

export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/2/webhooks",
    auth: ["bearer"],
    limits,
    handle: async (call) => {
      const webhook = await registerWebhook(call.sandbox, appOf(call.caller), urlOf(call));
      return { body: { data: renderWebhook(webhook) } };
    },
  },
  {
    method: "GET",
    path: "/2/webhooks",
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
    auth: ["bearer"],
    limits,
    handle: async ({ sandbox, caller, params }) => {
      const app = appOf(caller);
      const webhook = findWebhook(sandbox, app, params["webhook_id"] ?? "");
      const failed = await checkWebhook(sandbox, app, webhook);
      if (failed !== undefined) throw Refusal.reason("CrcValidationFailed", failed);
      return { body: { data: { valid: true, attempted: true } } };
    },
  },
  {
    method: "DELETE",
    path: "/2/webhooks/:webhook_id",
    auth: ["bearer"],
    limits,
    handle: ({ sandbox, caller, params }) => {
      removeWebhook(sandbox, findWebhook(sandbox, appOf(caller), params["webhook_id"] ?? ""));
      return { body: { data: { deleted: true } } };
    },
  },
];

function urlOf({ body }: Call): unknown {
  if (body.kind === "form") return body.fields.get("url") ?? undefined;
  const value = body.kind === "json" ? body.value : undefined;
  return typeof value === "object" && value !== null && "url" in value ? value.url : undefined;
}
