import * as z from "zod";
import { apps, findApp } from "../model/apps.ts";
import { PORTAL, controlInput } from "../server/control-input.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Route } from "../server/route.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type WebhookRow, webhookTable } from "../model/webhooks.ts";
import { removeWebhook, checkWebhook, registerWebhook } from "./rules.ts";

/** A webhook in the developer portal. */
export interface PortalWebhook {
  readonly id: string;
  readonly app_id: string;
  readonly url: string;
  readonly valid: boolean;
  /** Time of registration in ISO 8601. */
  readonly created_at: string;
  /** Time of the next regular challenge in ISO 8601. */
  readonly next_challenge_at: string;
}

/** Routes of the developer portal that list, register, challenge and delete webhooks. */
export const portalRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/_sandbox/webhooks",
    ...PORTAL,
    handle: ({ sandbox: { world } }) => ({
      body: { webhooks: [...webhookTable.in(world).all()].map(shown) },
    }),
  },
  {
    method: "POST",
    path: "/_sandbox/apps/:id/webhooks",
    ...PORTAL,
    handle: async (call) => {
      const { url } = controlInput(call, z.strictObject({ url: z.string() }));
      const app = findApp(call.sandbox, call.params["id"] ?? "");
      return { body: shown(await registerWebhook(call.sandbox, app, url)) };
    },
  },
  {
    method: "POST",
    path: "/_sandbox/webhooks/:id/challenge",
    ...PORTAL,
    handle: async ({ sandbox, params }) => {
      const webhook = find(sandbox, params["id"] ?? "");
      const app = apps.in(sandbox.world).get(webhook.appId);
      if (app === undefined) throw unknown(webhook.id);
      const reason = await checkWebhook(sandbox, app, webhook);
      return { body: reason === undefined ? { valid: true } : { valid: false, reason } };
    },
  },
  {
    method: "DELETE",
    path: "/_sandbox/webhooks/:id",
    ...PORTAL,
    handle: ({ sandbox, params }) => {
      removeWebhook(sandbox, find(sandbox, params["id"] ?? ""));
      return { body: { deleted: true } };
    },
  },
];

function shown({ id, appId, url, valid, createdAt, nextCheckAt }: WebhookRow): PortalWebhook {
  return {
    id,
    app_id: appId,
    url,
    valid,
    created_at: new Date(createdAt).toISOString(),
    next_challenge_at: new Date(nextCheckAt).toISOString(),
  };
}

function find({ world }: Sandbox, id: string): WebhookRow {
  const webhook = webhookTable.in(world).get(id);
  if (webhook === undefined) throw unknown(id);
  return webhook;
}

function unknown(id: string): ApiError {
  return ApiError.control(404, "unknown_webhook", `There is no webhook ${id}.`);
}
