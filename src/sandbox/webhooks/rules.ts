import { PLAN_LIMITS } from "../../protocol/limits.ts";
import { type AppRow, apps, planOf, appsOfProject } from "../model/apps.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type WebhookRow, webhookTable, webhookUrlFault } from "../model/webhooks.ts";
import { leaveWebhook } from "../activity-interface/rules.ts";
import { subscriptions } from "../model/activity.ts";
import { challenge } from "./challenge.ts";

/**
 * Registers `url` for the app once the URL has passed its first challenge.
 *
 * @throws {ApiError} `UrlValidationFailed`, `DuplicateUrlFailed`, `WebhookLimitExceeded` or `CrcValidationFailed`.
 */
export async function registerWebhook(
  sandbox: Sandbox,
  app: AppRow,
  url: unknown,
): Promise<WebhookRow> {
  const table = webhookTable.in(sandbox.world);
  const fault = webhookUrlFault(url);
  if (fault !== undefined || typeof url !== "string") {
    throw ApiError.reason("UrlValidationFailed", fault ?? "The URL is not text.");
  }
  refuseRegistration(sandbox, app, url);
  const id = sandbox.world.ids.next();
  const failed = await challenge(sandbox, app, { id, url });
  if (failed !== undefined) throw ApiError.reason("CrcValidationFailed", failed);
  // While the challenge ran, another request may have registered the same URL or used up the app's limit.
  refuseRegistration(sandbox, app, url);
  const now = sandbox.time.now();
  const nextCheckAt = now + sandbox.settings.challenge_every_ms;
  const webhook = table.put({ id, appId: app.id, url, valid: true, createdAt: now, nextCheckAt });
  scheduleCheck(sandbox, webhook);
  return webhook;
}

function refuseRegistration(sandbox: Sandbox, app: AppRow, url: string): void {
  const table = webhookTable.in(sandbox.world);
  if (table.where("app", app.id).some((webhook) => webhook.url === url)) {
    throw ApiError.reason("DuplicateUrlFailed", "The app has already registered this URL.");
  }
  const plan = planOf(sandbox, app);
  const registered = appsOfProject(sandbox, app).reduce(
    (sum, { id }) => sum + table.count("app", id),
    0,
  );
  const max = PLAN_LIMITS[plan].webhooks;
  if (registered >= max) {
    throw ApiError.reason(
      "WebhookLimitExceeded",
      `The ${plan} plan allows ${max} webhooks and ${registered} are registered.`,
    );
  }
}

/**
 * Challenges a webhook and stores the result in `valid`.
 *
 * @returns the reason for a failure, or `undefined`.
 */
export async function checkWebhook(
  sandbox: Sandbox,
  app: AppRow,
  webhook: WebhookRow,
): Promise<string | undefined> {
  const failed = await challenge(sandbox, app, webhook);
  webhookTable.in(sandbox.world).update(webhook.id, { valid: failed === undefined });
  sandbox.feed.publish("webhook", { webhook_id: webhook.id, valid: failed === undefined });
  return failed;
}

/** Schedules the next regular challenge of a webhook. Each challenge schedules the following one. */
export function scheduleCheck(sandbox: Sandbox, webhook: WebhookRow): void {
  // If the clock was set back, `nextCheckAt` may be far ahead: no challenge waits longer than one interval.
  const latest = sandbox.time.now() + sandbox.settings.challenge_every_ms;
  sandbox.time.at(Math.min(webhook.nextCheckAt, latest), async () => {
    const { world } = sandbox;
    const current = webhookTable.in(world).get(webhook.id);
    const app = apps.in(world).get(webhook.appId);
    if (current === undefined || app === undefined) return;
    const nextCheckAt = sandbox.time.now() + sandbox.settings.challenge_every_ms;
    const updated = webhookTable.in(world).put({ ...current, nextCheckAt });
    scheduleCheck(sandbox, updated);
    await checkWebhook(sandbox, app, updated);
  });
}

/** Deletes a webhook and its subscriptions. Subscriptions of the activity interface continue without a webhook. */
export function removeWebhook(sandbox: Sandbox, webhook: WebhookRow): void {
  const { world } = sandbox;
  const table = subscriptions.in(world);
  for (const { id } of table.where("webhook", webhook.id)) table.delete(id);
  leaveWebhook(sandbox, webhook.id);
  webhookTable.in(world).delete(webhook.id);
}
