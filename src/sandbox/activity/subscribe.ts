import { PLAN_LIMITS } from "../../interface/limits.ts";
import type { User } from "../accounts/entities.ts";
import type { App } from "../apps/entities.ts";
import { dropGrant, hasGrant } from "../apps/grants.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import type { Webhook } from "../webhooks/entities.ts";
import { planOf, siblings } from "../webhooks/rules.ts";
import { emitTo } from "./emit.ts";
import { subscriptions } from "./entities.ts";

/** Users whose activity flows to any webhook of the app's project; each counts once. */
export function subscribedUsers(sandbox: Sandbox, app: App): Set<string> {
  const table = subscriptions.in(sandbox.world);
  return new Set(
    siblings(sandbox, app).flatMap(({ id }) => table.where("app", id).map(({ userId }) => userId)),
  );
}

/** @throws {Refusal} `DuplicateSubscriptionFailed` or `SubscriptionLimitExceeded`. */
export function subscribe(sandbox: Sandbox, app: App, webhook: Webhook, user: User): void {
  const table = subscriptions.in(sandbox.world);
  if (table.first("pair", `${webhook.id}:${user.id}`) !== undefined) {
    throw Refusal.reason("DuplicateSubscriptionFailed", "Subscription already exists");
  }
  const counted = subscribedUsers(sandbox, app);
  const most = PLAN_LIMITS[planOf(sandbox, app)].subscriptions;
  if (!counted.has(user.id) && counted.size >= most) {
    throw Refusal.reason("SubscriptionLimitExceeded", `The plan allows ${most} subscriptions.`);
  }
  table.put({
    id: sandbox.world.ids.next(),
    webhookId: webhook.id,
    appId: app.id,
    userId: user.id,
    createdAt: sandbox.time.now(),
  });
}

/** @throws {Refusal} `SubscriptionNotFound`. */
export function unsubscribe(sandbox: Sandbox, webhook: Webhook, userId: string): void {
  const table = subscriptions.in(sandbox.world);
  const found = table.first("pair", `${webhook.id}:${userId}`);
  if (found === undefined) {
    throw Refusal.reason(
      "SubscriptionNotFound",
      `User ${userId} has no subscription on this webhook.`,
    );
  }
  table.delete(found.id);
}

/**
 * The user removes the app's authorization: tokens and subscriptions end, webhooks are told.
 *
 * @throws {Refusal} 404 of the control interface when there was none.
 */
export function removeAuthorization(sandbox: Sandbox, app: App, user: User): void {
  if (!hasGrant(sandbox, app.id, user.id)) {
    throw Refusal.control(
      404,
      "not_authorized",
      `@${user.username} has not authorized app ${app.id}.`,
    );
  }
  const table = subscriptions.in(sandbox.world);
  const mine = table.where("user", user.id).filter(({ appId }) => appId === app.id);
  dropGrant(sandbox, app.id, user.id);
  for (const { id } of mine) table.delete(id);
  const lanes = mine.map(({ webhookId }) => `${webhookId}:${user.id}`);
  emitTo(sandbox, { kind: "revoke", by: user.id, ref: app.id }, lanes);
}
