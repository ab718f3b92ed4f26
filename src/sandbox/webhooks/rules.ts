import { PLAN_LIMITS, type Plan } from "../../interface/limits.ts";
import { type App, apps, projects } from "../apps/entities.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { challenge } from "./challenge.ts";
import { type Webhook, webhookTable } from "./entities.ts";
import { webhookUrlFault } from "./url.ts";

/** The plan whose limits an app's webhooks and subscriptions count against. */
export function planOf({ world }: Sandbox, app: App): Plan {
  return projects.in(world).get(app.projectId)?.plan ?? "free";
}

/** Apps of the same project: limits count over all of them. */
export function siblings({ world }: Sandbox, app: App): App[] {
  return apps.in(world).where("project", app.projectId);
}

/** @throws {Refusal} `WebhookIdInvalid` unless the webhook belongs to the app. */
export function findWebhook({ world }: Sandbox, app: App, id: string): Webhook {
  const webhook = webhookTable.in(world).get(id);
  if (webhook !== undefined && webhook.appId === app.id) return webhook;
  throw Refusal.reason("WebhookIdInvalid", `No webhook ${id} is associated with this app.`);
}

/**
 * Registers `url` for the app once it has passed its first challenge.
 *
 * @throws {Refusal} with one of the four reasons of the interface.
 */
export async function registerWebhook(sandbox: Sandbox, app: App, url: unknown): Promise<Webhook> {
  const table = webhookTable.in(sandbox.world);
  const fault = webhookUrlFault(url);
  if (fault !== undefined || typeof url !== "string") {
    throw Refusal.reason("UrlValidationFailed", fault ?? "The URL is not text.");
  }
  refuseRegistration(sandbox, app, url);
  const id = sandbox.world.ids.next();
  const failed = await challenge(sandbox, app, { id, url });
  if (failed !== undefined) throw Refusal.reason("CrcValidationFailed", failed);
  // Another registration may have passed its challenge meanwhile.
  refuseRegistration(sandbox, app, url);
  const now = sandbox.time.now();
  const nextCheckAt = now + sandbox.settings.challenge_every_ms;
  const webhook = table.put({ id, appId: app.id, url, valid: true, createdAt: now, nextCheckAt });
  planCheck(sandbox, webhook);
  return webhook;
}

function refuseRegistration(sandbox: Sandbox, app: App, url: string): void {
  const table = webhookTable.in(sandbox.world);
  if (table.where("app", app.id).some((webhook) => webhook.url === url)) {
    throw Refusal.reason("DuplicateUrlFailed", "The app has already registered this URL.");
  }
  const plan = planOf(sandbox, app);
  const held = siblings(sandbox, app).reduce((sum, { id }) => sum + table.count("app", id), 0);
  const most = PLAN_LIMITS[plan].webhooks;
  if (held >= most) {
    throw Refusal.reason(
      "WebhookLimitExceeded",
      `The ${plan} plan allows ${most} webhooks and ${held} are registered.`,
    );
  }
}

/**
 * Challenges a webhook and keeps the result in `valid`, whichever way it goes.
 *
 * @returns why it failed, or nothing.
 */
export async function checkWebhook(
  sandbox: Sandbox,
  app: App,
  webhook: Webhook,
): Promise<string | undefined> {
  const failed = await challenge(sandbox, app, webhook);
  webhookTable.in(sandbox.world).update(webhook.id, { valid: failed === undefined });
  sandbox.feed.tell("webhook", { webhook_id: webhook.id, valid: failed === undefined });
  return failed;
}

/** Plans the next hourly check of a webhook, and from it the one after. */
export function planCheck(sandbox: Sandbox, webhook: Webhook): void {
  sandbox.time.at(webhook.nextCheckAt, async () => {
    const { world } = sandbox;
    const standing = webhookTable.in(world).get(webhook.id);
    const app = apps.in(world).get(webhook.appId);
    if (standing === undefined || app === undefined) return;
    const nextCheckAt = sandbox.time.now() + sandbox.settings.challenge_every_ms;
    const planned = webhookTable.in(world).put({ ...standing, nextCheckAt });
    planCheck(sandbox, planned);
    await checkWebhook(sandbox, app, planned);
  });
}
