import type { Dialect } from "../../protocol/dialects.ts";
import {
  activitySubscriptions,
  subscriptionOfLane,
  activities,
  type ActivityRow,
  isOwed,
  openDeliveries,
  openDeliveryKey,
  type OpenDeliveryRow,
  mayReceive,
  subscriptions,
} from "../model/activity.ts";
import { renderActivityEvent } from "../rendering/events/activity-event.ts";
import { apps } from "../model/apps.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { webhookTable } from "../model/webhooks.ts";
import { EVENT_KEY_OF, renderActivity } from "../rendering/events/account-activity.ts";
import { stringifyData, stringifyEvent } from "../rendering/events/wire.ts";
import { attempt, type EventDelivery } from "./attempt.ts";
import { deliveryQueue } from "./delivery-queue.ts";

/**
 * Returns the delivery of an activity to the subscription that `lane` names; `undefined` if the webhook or an object of
 * the activity no longer exists, or if the app's permission level is too low.
 */
export function deliveryFor(
  { world }: Sandbox,
  activity: ActivityRow,
  lane: string,
  replayed: boolean,
): EventDelivery | undefined {
  const subscriptionId = subscriptionOfLane(lane);
  if (subscriptionId !== undefined) return deliveryOf(world, activity, subscriptionId);
  const [webhookId = "", userId = ""] = lane.split(":");
  const webhook = webhookTable.in(world).get(webhookId);
  const app = apps.in(world).get(webhook?.appId ?? "");
  if (activity.kind === "profile") return undefined;
  const body = renderActivity(world, activity, userId);
  if (webhook === undefined || app === undefined || body === undefined) return undefined;
  if (!mayReceive(app, activity)) return undefined;
  const forUserId = activity.kind === "revoke" ? null : userId;
  const textIn = (dialect: Dialect): string => stringifyEvent(body, dialect);
  return {
    app,
    webhook,
    textIn,
    event: EVENT_KEY_OF[activity.kind],
    activityId: activity.id,
    forUserId,
    replayed,
  };
}

/** Returns the delivery to a subscription of the activity interface; `undefined` also if there is no webhook. */
function deliveryOf(
  world: Sandbox["world"],
  activity: ActivityRow,
  subscriptionId: string,
): EventDelivery | undefined {
  const subscription = activitySubscriptions.in(world).get(subscriptionId);
  if (subscription === undefined) return undefined;
  const webhook = webhookTable.in(world).get(subscription.webhookId ?? "");
  const app = apps.in(world).get(subscription.appId);
  const body = renderActivityEvent(world, activity, subscription);
  if (webhook === undefined || app === undefined || body === undefined) return undefined;
  if (!mayReceive(app, activity)) return undefined;
  const { eventType: event, userId: forUserId = null } = subscription;
  const textIn = (dialect: Dialect): string => stringifyData(body, dialect);
  return { app, webhook, textIn, event, activityId: activity.id, forUserId, replayed: false };
}

/** Queues an activity for each subscription in its `lanes`. Bodies are rendered only when they are sent. */
export function dispatch(sandbox: Sandbox, activity: ActivityRow): void {
  const table = openDeliveries.in(sandbox.world);
  for (const lane of activity.lanes) {
    if (!isDelivered(sandbox, lane)) continue;
    const dueAt = dueTime(sandbox, activity, lane);
    queue(sandbox, table.put({ activityId: activity.id, lane, tries: 0, dueAt }));
  }
}

/** Returns whether the subscription of a lane has a webhook. One of the activity interface may have only the stream. */
function isDelivered({ world }: Sandbox, lane: string): boolean {
  const id = subscriptionOfLane(lane);
  return id === undefined || activitySubscriptions.in(world).get(id)?.webhookId !== undefined;
}

/** Queues the deliveries that were not finished when the world was saved, in their order. */
export function resumeDeliveries(sandbox: Sandbox): void {
  const { delays, retries_ms: retries } = sandbox.settings;
  const now = sandbox.time.now();
  const table = openDeliveries.in(sandbox.world);
  for (const row of table.all()) {
    // If the clock was set back, `dueAt` may be far ahead: no delivery waits longer than its original delay.
    const longest =
      row.tries === 0
        ? Math.max(delays.delivery_ms, delays.first_events_ms)
        : (retries[row.tries - 1] ?? 0);
    queue(sandbox, { ...row, dueAt: Math.min(row.dueAt, now + longest) });
  }
}

function dueTime({ world, settings, time }: Sandbox, activity: ActivityRow, lane: string): number {
  const { delivery_ms: delay, first_events_ms: first } = settings.delays;
  const subscription =
    activitySubscriptions.in(world).get(subscriptionOfLane(lane) ?? "") ??
    subscriptions.in(world).first("pair", lane);
  const subscribedAt = subscription?.createdAt ?? activity.at;
  // If the clock was set back, the time at which the subscription was created may be in the future.
  return Math.max(activity.at + delay, Math.min(subscribedAt, time.now()) + first);
}

/** Adds a delivery to its queue when it is due. A retried delivery keeps its place at the head of the queue. */
function queue(sandbox: Sandbox, row: OpenDeliveryRow): void {
  const { lanes, time } = sandbox;
  const enqueue = (): void =>
    lanes.add(deliveryQueue(sandbox.world, row), () => deliverWithRetries(sandbox, row));
  if (row.tries > 0 || row.dueAt <= time.now()) enqueue();
  else time.at(row.dueAt, async () => enqueue());
}

/** Retries until the delivery succeeds, its subscription ends or no retry remains, waiting on the sandbox's clock. */
async function deliverWithRetries(sandbox: Sandbox, row: OpenDeliveryRow): Promise<void> {
  const { world, time } = sandbox;
  const key = openDeliveryKey(row.activityId, row.lane);
  const table = openDeliveries.in(world);
  const activity = activities.in(world).get(row.activityId);
  if (activity === undefined) return void table.delete(key);
  // A delivery is queued only when it is due, so its first try does not wait.
  let dueAt = row.tries === 0 ? undefined : row.dueAt;
  for (let count = row.tries + 1; ; count += 1) {
    if (dueAt !== undefined) await reached(sandbox, dueAt);
    if (!isOwed(world, activity, row.lane)) break;
    const delivery = deliveryFor(sandbox, activity, row.lane, false);
    if (delivery === undefined || !delivery.webhook.valid) break;
    const { isOver, arrival } = await attempt(sandbox, delivery, count);
    if (isOver) {
      // The queue does not wait for a request that a fault has delayed.
      time.track(arrival.finally(() => table.delete(key)));
      return;
    }
    const delay = sandbox.settings.retries_ms[count - 1];
    if (delay === undefined) break;
    dueAt = time.now() + delay;
    table.update(key, { tries: count, dueAt });
  }
  table.delete(key);
}

function reached({ time }: Sandbox, at: number): Promise<void> {
  return new Promise((resolve) => {
    time.at(at, async () => resolve());
  });
}
