import {
  activitySubscriptions,
  subscriptionOfLane,
  activities,
  type OpenDeliveryRow,
} from "../model/activity.ts";
import { messages } from "../model/messages.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";

/** Webhook to which a subscription delivers, and the account whose activity the webhook receives. */
export interface DeliveryTarget {
  readonly webhookId: string;
  readonly userId: string;
  /** Whether the subscription belongs to the activity interface; otherwise it belongs to account activity. */
  readonly isActivityInterface: boolean;
}

/** Returns webhook and account of the subscription that a lane names; empty ids if the subscription is deleted. */
export function targetOfLane(world: SandboxWorld, lane: string): DeliveryTarget {
  const subscriptionId = subscriptionOfLane(lane);
  if (subscriptionId === undefined) {
    const [webhookId = "", userId = ""] = lane.split(":");
    return { webhookId, userId, isActivityInterface: false };
  }
  const { webhookId = "", userId = "" } = activitySubscriptions.in(world).get(subscriptionId) ?? {};
  return { webhookId, userId, isActivityInterface: true };
}

/**
 * Returns the name of the queue in which a delivery waits for earlier deliveries.
 *
 * A queue holds the deliveries about one account and one other person or group: a retry delays only deliveries about
 * both. Subscriptions of the activity interface for the same account and webhook share their queues.
 */
export function deliveryQueue(world: SandboxWorld, row: OpenDeliveryRow): string {
  const { webhookId, userId, isActivityInterface } = targetOfLane(world, row.lane);
  const { kind, ref, by = userId, to } = activities.in(world).get(row.activityId) ?? {};
  const message = kind === "message" ? messages.in(world).get(ref ?? "") : undefined;
  const group = message?.recipientId === undefined ? message?.conversationId : undefined;
  const person = group ?? (by === userId ? (to ?? userId) : by);
  return `${isActivityInterface ? "activity:" : ""}${webhookId}:${userId}:${person}`;
}
