import { PLAN_LIMITS } from "../../protocol/limits.ts";
import type { UserRow } from "../model/accounts.ts";
import { type AppRow, planOf, appsOfProject, hasGrant } from "../model/apps.ts";
import { dropGrant } from "../apps/grants.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import type { WebhookRow } from "../model/webhooks.ts";
import { endPrivateSubscriptions } from "../activity-interface/rules.ts";
import { subscriptions } from "../model/activity.ts";
import { emitTo } from "./emit.ts";

/** Returns the ids of the users whose activity at least one webhook of the app's project receives. */
export function subscribedUsers(sandbox: Sandbox, app: AppRow): Set<string> {
  const table = subscriptions.in(sandbox.world);
  return new Set(
    appsOfProject(sandbox, app).flatMap(({ id }) =>
      table.where("app", id).map(({ userId }) => userId),
    ),
  );
}

/** Subscribes a webhook to a user. @throws {ApiError} `DuplicateSubscriptionFailed` or `SubscriptionLimitExceeded`. */
export function subscribe(sandbox: Sandbox, app: AppRow, webhook: WebhookRow, user: UserRow): void {
  const table = subscriptions.in(sandbox.world);
  if (table.first("pair", `${webhook.id}:${user.id}`) !== undefined) {
    throw ApiError.reason("DuplicateSubscriptionFailed", "Subscription already exists");
  }
  const counted = subscribedUsers(sandbox, app);
  const max = PLAN_LIMITS[planOf(sandbox, app)].subscriptions;
  if (!counted.has(user.id) && counted.size >= max) {
    throw ApiError.reason("SubscriptionLimitExceeded", `The plan allows ${max} subscriptions.`);
  }
  table.put({
    id: sandbox.world.ids.next(),
    webhookId: webhook.id,
    appId: app.id,
    userId: user.id,
    createdAt: sandbox.time.now(),
  });
}

/** Ends the subscription of a webhook to a user. @throws {ApiError} `SubscriptionNotFound`. */
export function unsubscribe(sandbox: Sandbox, webhook: WebhookRow, userId: string): void {
  const table = subscriptions.in(sandbox.world);
  const subscriptionRow = table.first("pair", `${webhook.id}:${userId}`);
  if (subscriptionRow === undefined) {
    throw ApiError.reason(
      "SubscriptionNotFound",
      `User ${userId} has no subscription on this webhook.`,
    );
  }
  table.delete(subscriptionRow.id);
}

/**
 * Removes a user's authorization of the app: tokens and subscriptions end, webhooks are notified.
 *
 * @throws {ApiError} 404 of the control interface if the user has not authorized the app.
 */
export function removeAuthorization(sandbox: Sandbox, app: AppRow, user: UserRow): void {
  if (!hasGrant(sandbox.world, app.id, user.id)) {
    throw ApiError.control(
      404,
      "not_authorized",
      `@${user.username} has not authorized app ${app.id}.`,
    );
  }
  const table = subscriptions.in(sandbox.world);
  const ofUser = table.where("user", user.id).filter(({ appId }) => appId === app.id);
  dropGrant(sandbox, app.id, user.id);
  for (const { id } of ofUser) table.delete(id);
  endPrivateSubscriptions(sandbox, app.id, user.id);
  const lanes = ofUser.map(({ webhookId }) => `${webhookId}:${user.id}`);
  emitTo(sandbox, { kind: "revoke", by: user.id, ref: app.id }, lanes);
}
