import {
  ACTIVITY_DIRECTIONS,
  type ActivityEventType,
  isActorOnly,
  isPrivateEventType,
  scopeOfEventType,
} from "../../protocol/activity-event-types.ts";
import { PLAN_LIMITS } from "../../protocol/limits.ts";
import { users } from "../model/accounts.ts";
import { type AppRow, appsOfProject, planOf } from "../model/apps.ts";
import { appOf, type RequestCaller } from "../auth/caller.ts";
import { checkPermission } from "../auth/check-permission.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { findWebhook } from "../model/webhooks.ts";
import { type ActivitySubscriptionRow, activitySubscriptions } from "../model/activity.ts";

/** Fields of a request for a subscription, with the names that the sandbox uses internally. */
export interface WantedSubscription {
  readonly eventType: ActivityEventType;
  readonly userId?: string | undefined;
  readonly direction?: (typeof ACTIVITY_DIRECTIONS)[number] | undefined;
  readonly keyword?: string | undefined;
  readonly tag?: string | undefined;
  readonly webhookId?: string | undefined;
}

/** Fields of a subscription that can be changed. */
export type SubscriptionChange = Pick<WantedSubscription, "tag" | "webhookId">;

/** A wanted subscription, or a stored one, which has an id. */
type MaybeStored = WantedSubscription & { readonly id?: string };

const PATH = "/2/activity/subscriptions";

/**
 * Subscribes the caller's app to one event type of one user.
 *
 * @throws {ApiError} 400 for an invalid filter, a duplicate, a webhook of another app, or when the plan's limit is
 * reached; 403 if the user has not authorized the app.
 */
export function createSubscription(
  sandbox: Sandbox,
  caller: RequestCaller,
  wanted: WantedSubscription,
): ActivitySubscriptionRow {
  const app = appOf(caller);
  checkFilter(sandbox, wanted);
  checkAuthorization(caller, wanted);
  if (wanted.webhookId !== undefined) findWebhook(sandbox, app, wanted.webhookId);
  refuseDuplicate(sandbox, app, wanted);
  const max = PLAN_LIMITS[planOf(sandbox, app)].activitySubscriptions;
  if (countSubscriptions(sandbox, app) >= max) {
    throw ApiError.reason("SubscriptionLimitExceeded", `The plan allows ${max} subscriptions.`);
  }
  const now = sandbox.time.now();
  return activitySubscriptions.in(sandbox.world).put({
    ...withoutAbsent(wanted),
    id: sandbox.world.ids.next(),
    appId: app.id,
    createdAt: now,
    updatedAt: now,
  });
}

/** Counts the subscriptions of all apps of the app's project, to which the plan's limit applies. */
export function countSubscriptions(sandbox: Sandbox, app: AppRow): number {
  const table = activitySubscriptions.in(sandbox.world);
  return appsOfProject(sandbox, app).reduce((sum, { id }) => sum + table.count("app", id), 0);
}

/**
 * Changes a subscription's tag or webhook.
 *
 * @throws {ApiError} 400 for a subscription or a webhook of another app, or if the webhook has the same subscription.
 */
export function changeSubscription(
  sandbox: Sandbox,
  app: AppRow,
  id: string,
  change: SubscriptionChange,
): ActivitySubscriptionRow {
  const row = findSubscription(sandbox, app, id);
  if (row === undefined) {
    throw ApiError.reason("SubscriptionNotFound", `The app has no subscription ${id}.`);
  }
  const changed = { ...row, ...withoutAbsent(change), updatedAt: sandbox.time.now() };
  if (change.webhookId !== undefined) {
    findWebhook(sandbox, app, change.webhookId);
    refuseDuplicate(sandbox, app, changed);
  }
  return activitySubscriptions.in(sandbox.world).put(changed);
}

/** Returns the subscription with this id if it belongs to the app. */
export function findSubscription(
  { world }: Sandbox,
  app: AppRow,
  id: string,
): ActivitySubscriptionRow | undefined {
  const row = activitySubscriptions.in(world).get(id);
  return row?.appId === app.id ? row : undefined;
}

/** Deletes a subscription of the app. Returns whether the app had this subscription. */
export function deleteSubscription(sandbox: Sandbox, app: AppRow, id: string): boolean {
  if (findSubscription(sandbox, app, id) === undefined) return false;
  return activitySubscriptions.in(sandbox.world).delete(id);
}

/** Deletes an app's subscriptions to a user's private events after the user has revoked the app's authorization. */
export function endPrivateSubscriptions({ world }: Sandbox, appId: string, userId: string): void {
  const table = activitySubscriptions.in(world);
  for (const row of table.where("user", userId)) {
    if (row.appId === appId && isPrivateEventType(row.eventType)) table.delete(row.id);
  }
}

/**
 * Detaches subscriptions from a deleted webhook: their events are then sent only on the stream. Deletes those that the
 * app already has without a webhook, since their events would be streamed twice.
 */
export function leaveWebhook({ world, time }: Sandbox, webhookId: string): void {
  const table = activitySubscriptions.in(world);
  for (const { webhookId: _gone, ...row } of table.where("webhook", webhookId)) {
    if (hasDuplicate(world, row.appId, row)) table.delete(row.id);
    else table.put({ ...row, updatedAt: time.now() });
  }
}

function checkFilter({ world }: Sandbox, wanted: WantedSubscription): void {
  const { eventType, userId, direction, keyword } = wanted;
  const hasText = eventType.startsWith("post.") && eventType !== "post.delete";
  if (eventType === "news.new") {
    if (keyword === undefined) throw refused("filter.keyword", "is needed for news.new");
  } else if (userId === undefined) {
    throw refused("filter.user_id", `is needed for ${eventType}`);
  } else if (keyword !== undefined && !hasText) {
    throw refused("filter.keyword", `is not supported for ${eventType}`);
  }
  if (userId !== undefined && users.in(world).get(userId) === undefined) {
    throw refused("filter.user_id", `[${userId}] is not a user`);
  }
  if (direction !== undefined && isActorOnly(eventType)) {
    throw refused("filter.direction", `is not supported for ${eventType}`);
  }
}

/**
 * Checks the caller's permission. Only the user concerned may subscribe to private event types.
 *
 * @throws {ApiError} 403.
 */
function checkAuthorization(
  caller: RequestCaller,
  { eventType, userId }: WantedSubscription,
): void {
  const level = eventType.startsWith("dm.")
    ? ({ level: "read-write-directmessages" } as const)
    : {};
  checkPermission(caller, { ...level, path: PATH, scopes: [scopeOfEventType(eventType)] });
  if (!isPrivateEventType(eventType)) return;
  const isUser = caller.kind === "oauth1" || caller.kind === "oauth2";
  if (isUser && caller.user.id === userId) return;
  throw ApiError.forbidden(
    isUser
      ? `filter.user_id must identify the authenticated user for ${eventType}.`
      : `Subscribing to ${eventType} needs the authorization of the user: authenticate with OAuth 1.0a User Context or OAuth 2.0 User Context.`,
  );
}

function refuseDuplicate({ world }: Sandbox, app: AppRow, wanted: MaybeStored): void {
  if (!hasDuplicate(world, app.id, wanted)) return;
  throw ApiError.reason("DuplicateSubscriptionFailed", "Subscription already exists");
}

/** Returns whether the app has another subscription with the same filter and webhook. */
function hasDuplicate(world: SandboxWorld, appId: string, wanted: MaybeStored): boolean {
  const isSame = (row: ActivitySubscriptionRow): boolean =>
    row.id !== wanted.id &&
    row.eventType === wanted.eventType &&
    row.userId === wanted.userId &&
    row.direction === wanted.direction &&
    row.keyword === wanted.keyword &&
    row.webhookId === wanted.webhookId;
  return activitySubscriptions.in(world).where("app", appId).some(isSame);
}

function refused(path: string, message: string): ApiError {
  return ApiError.invalid([{ parameters: { [path]: [] }, message: `$.${path}: ${message}` }]);
}

function withoutAbsent<T extends object>(source: T): T {
  const copy = { ...source };
  for (const key of Object.keys(copy)) {
    if (Reflect.get(copy, key) === undefined) Reflect.deleteProperty(copy, key);
  }
  return copy;
}
