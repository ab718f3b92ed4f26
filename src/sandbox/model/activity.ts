import * as z from "zod";
import {
  PROFILE_EVENT_TYPES,
  ACTIVITY_DIRECTIONS,
  ACTIVITY_EVENT_TYPES,
} from "../../protocol/activity-event-types.ts";
import { instant } from "../kernel/world/columns.ts";
import { compareIds } from "../kernel/world/ids.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { defineTable } from "../kernel/world/table.ts";
import { type AppRow, hasGrant } from "./apps.ts";

/** Table of account activity subscriptions. Each sends the activity of one user to one webhook. */
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

/** Kinds of activity. Webhooks of account activity get no `profile`, those of the activity interface no `revoke`. */
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
  /** Id of the acting user. */
  by: z.string(),
  /** Id of the user that the activity concerns, if any. */
  to: z.string().optional(),
  /** Id of the post, message or app that the activity is about. */
  ref: z.string().optional(),
  /** Change of a profile field; set for activities of the kind `profile`. */
  change: z
    .strictObject({
      type: z.enum(PROFILE_EVENT_TYPES),
      before: z.string(),
      after: z.string(),
    })
    .optional(),
  /** Id of the like, which the event has even if the like is removed before the delivery. */
  like: z.string().optional(),
  /** Receiving subscriptions: `<webhook id>:<user id>`; for the activity interface `subscription:<id>`. */
  lanes: z.array(z.string()),
});

/** An activity in its stored form, from which every delivery is rendered. */
export type ActivityRow = z.infer<typeof activitySchema>;

/** Returns whether the app's permission level covers an activity: direct messages need the highest level. */
export function mayReceive({ level }: AppRow, { kind }: ActivityRow): boolean {
  const isMessage = kind === "message" || kind === "typing" || kind === "read";
  return !isMessage || level === "read-write-directmessages";
}

export const activities = defineTable({
  name: "activities",
  schema: activitySchema,
  key: (row) => row.id,
  order: (row) => row.id,
  indexes: { lane: (row) => row.lanes },
});

/** Deliveries without a final result: waiting for the first attempt or for a retry. They continue after a restart. */
export const openDeliveries = defineTable({
  name: "open_deliveries",
  schema: z.strictObject({
    activityId: z.string(),
    /** Subscription that receives the delivery: an entry of the activity's `lanes`. */
    lane: z.string(),
    /** Number of attempts so far. */
    tries: z.int().min(0),
    /** Time of the next attempt. It may start later, since deliveries of a lane are sequential. */
    dueAt: instant,
  }),
  key: (row) => openDeliveryKey(row.activityId, row.lane),
  indexes: {},
});

export type OpenDeliveryRow = NonNullable<ReturnType<ReturnType<typeof openDeliveries.in>["get"]>>;

export function openDeliveryKey(activityId: string, lane: string): string {
  return `${activityId} ${lane}`;
}

/** Accepted replay jobs that are not finished. */
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

/** Kind of the open streams that send activities. */
export const ACTIVITIES = "activities";

const rowSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  appId: z.string(),
  eventType: z.enum(ACTIVITY_EVENT_TYPES),
  userId: z.string().optional(),
  direction: z.enum(ACTIVITY_DIRECTIONS).optional(),
  keyword: z.string().optional(),
  tag: z.string().optional(),
  /** Id of the webhook; absent if the subscription's events are sent only on the stream. */
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

/** Returns the user as whom a subscription sees posts; undefined without that user's authorization of the app. */
export function viewerOf(
  world: SandboxWorld,
  { appId, userId }: ActivitySubscriptionRow,
): string | undefined {
  return userId !== undefined && hasGrant(world, appId, userId) ? userId : undefined;
}

const PREFIX = "subscription:";

/** Returns the delivery lane of a subscription of the activity interface. Its deliveries are sequential. */
export function subscriptionLane(id: string): string {
  return PREFIX + id;
}

/** Returns the id of the activity-interface subscription that owns a lane; undefined for a lane of account activity. */
export function subscriptionOfLane(lane: string): string | undefined {
  return lane.startsWith(PREFIX) ? lane.slice(PREFIX.length) : undefined;
}

/**
 * Returns whether an activity happened during the present subscription of a lane. Compares ids, since times are wrong
 * after the clock was set back.
 */
export function isDuringSubscription(
  world: SandboxWorld,
  { id }: ActivityRow,
  lane: string,
): boolean {
  const subscription =
    activitySubscriptions.in(world).get(subscriptionOfLane(lane) ?? "") ??
    subscriptions.in(world).first("pair", lane);
  return subscription !== undefined && compareIds(id, subscription.id) > 0;
}

/**
 * Returns whether an activity is still to be delivered to a lane: not after its subscription has ended, apart from the
 * notice about this end.
 */
export function isOwed(world: SandboxWorld, activity: ActivityRow, lane: string): boolean {
  return activity.kind === "revoke" || isDuringSubscription(world, activity, lane);
}
