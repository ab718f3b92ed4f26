import type { Sandbox } from "../kernel/sandbox.ts";
import { subscriptions } from "../activity/entities.ts";
import { type WebhookRow, webhookTable } from "./entities.ts";

/** Deletes a webhook together with its subscriptions. */
export function removeWebhook({ world }: Sandbox, webhook: WebhookRow): void {
  const table = subscriptions.in(world);
  for (const { id } of table.where("webhook", webhook.id)) table.delete(id);
  webhookTable.in(world).delete(webhook.id);
}
