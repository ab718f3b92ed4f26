import type { Sandbox } from "../kernel/sandbox.ts";
import { leaveWebhook } from "../activity-interface/rules.ts";
import { subscriptions } from "../activity/entities.ts";
import { type WebhookRow, webhookTable } from "./entities.ts";

/** Deletes a webhook together with its subscriptions; those of the activity interface go on without it. */
export function removeWebhook(sandbox: Sandbox, webhook: WebhookRow): void {
  const { world } = sandbox;
  const table = subscriptions.in(world);
  for (const { id } of table.where("webhook", webhook.id)) table.delete(id);
  leaveWebhook(sandbox, webhook.id);
  webhookTable.in(world).delete(webhook.id);
}
