import * as z from "zod";
import {
  PROFILE_EVENT_TYPES,
  ACTIVITY_DIRECTIONS,
  ACTIVITY_EVENT_TYPES,
} from "../../protocol/activity-event-types.ts";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";

/** A user's account activity, flowing to a webhook. */
export const subscriptions = defineTable({
  name: "subscriptions",
  schema: z.strictObject({
    id: z.string(),
    webhookId: z.string(),
    appId: z.string(),
    userId: z.string(),
    createdAt: instant,
  }),
  key: (row) => row.id,
  indexes: {
    webhook: (row) => row.webhookId,
    app: (row) => row.appId,
    user: (row) => row.userId,
    pair: (row) => `${row.webhookId}:${row.userId}`,
  },
});

/** What can happen to a subscribed account. Account activity does not tell of profiles, the activity interface not of `revoke`. */
export const ACTIVITY_KINDS = [
  "profile",
  "post",
  "delete",
  "like",
  "follow",
  "unfollow",
  "block",
  "unblock",
  "mute",
  "unmute",
  "message",
  "typing",
  "read",
  "revoke",
] as const;

export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

const activitySchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  kind: z.enum(ACTIVITY_KINDS),
  at: instant,
  /** Who did it. */
  by: z.string(),
  /** The user it was done to, where it was done to a user. */
  to: z.string().optional(),
  /** Post, message or app that it is about. */
  ref: z.string().optional(),
  /** What has changed of a profile. */
  change: z
    .strictObject({
      type: z.enum(PROFILE_EVENT_TYPES),
      before: z.string(),
      after: z.string(),
    })
    .optional(),
  /** Lane of every subscription it was sent to: `<webhook id>:<user id>`, or `subscription:<id>` of the activity interface. */
  lanes: z.array(z.string()),
});

/** One activity as compact facts: it is rendered for every delivery. */
export type ActivityRow = z.infer<typeof activitySchema>;

export const activities = defineTable({
  name: "activities",
  schema: activitySchema,
  key: (row) => row.id,
  order: (row) => row.id,
  indexes: { lane: (row) => row.lanes },
});

/** Deliveries that are not over: first tries that wait, and tries that failed. What a restart goes on with. */
export const openDeliveries = defineTable({
  name: "open_deliveries",
  schema: z.strictObject({
    activityId: z.string(),
    /** As in the activity. */
    lane: z.string(),
    /** Tries so far. */
    tries: z.int().min(0),
    /** When the next one is due; those before it in its lane may hold it up. */
    dueAt: instant,
  }),
  key: (row) => openDeliveryKey(row.activityId, row.lane),
  indexes: {},
});

export type OpenDeliveryRow = NonNullable<ReturnType<ReturnType<typeof openDeliveries.in>["get"]>>;

export function openDeliveryKey(activityId: string, lane: string): string {
  return `${activityId} ${lane}`;
}

/** Replay jobs that were accepted and are not over. */
export const openReplays = defineTable({
  name: "open_replays",
  schema: z.strictObject({
    id: z.string(),
    webhookId: z.string(),
    createdAt: instant,
    from: instant,
    to: instant,
  }),
  key: (row) => row.id,
  indexes: {},
});

export type OpenReplayRow = NonNullable<ReturnType<ReturnType<typeof openReplays.in>["get"]>>;

/** Name of the streams that are offered each activity. */
export const ACTIVITIES = "activities";

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
