import type { WebhookRow } from "./entities.ts";

/** A webhook configuration of the interface. */
export function renderWebhook({ id, url, valid, createdAt }: WebhookRow): Record<string, unknown> {
  return { created_at: new Date(createdAt).toISOString(), id, url, valid };
}
