import * as z from "zod";
import { ACTIVITY_DIRECTIONS, ACTIVITY_EVENT_TYPES } from "../../protocol/activity-event-types.ts";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";

const rowSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  appId: z.string(),
  eventType: z.enum(ACTIVITY_EVENT_TYPES),
  userId: z.string().optional(),
  direction: z.enum(ACTIVITY_DIRECTIONS).optional(),
  keyword: z.string().optional(),
  tag: z.string().optional(),
  /** Absent: its events are on the stream only. */
  webhookId: z.string().optional(),
  createdAt: instant,
  updatedAt: instant,
});

/** A subscription of the activity interface: one event type of one user, for an app. */
export type ActivitySubscriptionRow = z.infer<typeof rowSchema>;

export const activitySubscriptions = defineTable({
  name: "activity_subscriptions",
  schema: rowSchema,
  key: (row) => row.id,
  order: (row) => row.id,
  indexes: {
    app: (row) => row.appId,
    user: (row) => row.userId,
    webhook: (row) => row.webhookId,
  },
});

const PREFIX = "subscription:";

/** The lane of a subscription's deliveries; those of account activity have a webhook and a user in theirs. */
export function subscriptionLane(id: string): string {
  return PREFIX + id;
}

/** Id of the subscription whose lane it is; undefined for a lane of account activity. */
export function subscriptionOfLane(lane: string): string | undefined {
  return lane.startsWith(PREFIX) ? lane.slice(PREFIX.length) : undefined;
}
