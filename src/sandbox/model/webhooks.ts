import * as z from "zod";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { instant, ruled } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";
import type { AppRow } from "./apps.ts";
import { webhookUrlFault } from "./webhook-url.ts";

const webhookSchema = z.strictObject({
  id: z.string(),
  appId: z.string(),
  url: ruled(webhookUrlFault),
  valid: z.boolean(),
  createdAt: instant,
  /** When the next check of the service is due. */
  nextCheckAt: instant,
});

/** A registered callback URL of an app. */
export type WebhookRow = z.infer<typeof webhookSchema>;

export const webhookTable = defineTable({
  name: "webhooks",
  schema: webhookSchema,
  key: (row) => row.id,
  indexes: { app: (row) => row.appId },
});

/** @throws {ApiError} `WebhookIdInvalid` unless the webhook belongs to the app. */
export function findWebhook({ world }: Sandbox, app: AppRow, id: string): WebhookRow {
  const webhook = webhookTable.in(world).get(id);
  if (webhook !== undefined && webhook.appId === app.id) return webhook;
  throw ApiError.reason("WebhookIdInvalid", `No webhook ${id} is associated with this app.`);
}
