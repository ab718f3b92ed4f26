import type { Route } from "../server/route.ts";
import { OWN } from "../server/control-input.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { activities, type ActivityKind, isOwed, openDeliveries } from "../model/activity.ts";
import { deliveryQueue, targetOfLane } from "./delivery-queue.ts";

/** A delivery that waits for its next attempt, in the form that `GET /_sandbox/deliveries/pending` returns. */
export interface PendingDelivery {
  readonly activity_id: string;
  readonly kind: ActivityKind;
  /** Id of the acting user. */
  readonly by: string;
  /** Id of the post, message or app that the activity concerns. */
  readonly ref?: string;
  readonly webhook_id: string;
  readonly for_user_id: string;
  /** Number of attempts so far; 0 if the delivery waits for an earlier delivery about the same person. */
  readonly attempts: number;
  /**
   * Time of the next attempt of this delivery or of the delivery that it waits for. ISO 8601, by the sandbox's clock.
   */
  readonly retry_at: string;
}

/** Route that lists the deliveries with a scheduled attempt. */
export const pendingRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/_sandbox/deliveries/pending",
    ...OWN,
    handle: ({ sandbox }) => ({ body: { deliveries: pendingDeliveries(sandbox) } }),
  },
];

/** Returns the deliveries that wait for a retry or for an earlier delivery, in the order in which they were queued. */
function pendingDeliveries({ world, time }: Sandbox): readonly PendingDelivery[] {
  const now = time.now();
  const retryOf = new Map<string, number>();
  return [...openDeliveries.in(world).all()].flatMap((row) => {
    const activity = activities.in(world).get(row.activityId);
    if (activity === undefined || !isOwed(world, activity, row.lane)) return [];
    const queue = deliveryQueue(world, row);
    const retryAt = Math.max(row.dueAt, retryOf.get(queue) ?? 0);
    if (retryAt <= now) return [];
    retryOf.set(queue, retryAt);
    const { kind, by, ref } = activity;
    const { webhookId, userId } = targetOfLane(world, row.lane);
    return {
      activity_id: activity.id,
      kind,
      by,
      ...(ref === undefined ? {} : { ref }),
      webhook_id: webhookId,
      for_user_id: userId,
      attempts: row.tries,
      retry_at: new Date(retryAt).toISOString(),
    };
  });
}
