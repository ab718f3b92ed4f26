import * as z from "zod";
import { defineTable } from "../kernel/world/table.ts";

/** A user's account activity, flowing to a webhook. */
export const subscriptions = defineTable({
  name: "subscriptions",
  schema: z.strictObject({
    id: z.string(),
    webhookId: z.string(),
    appId: z.string(),
    userId: z.string(),
    createdAt: z.number(),
  }),
  key: (row) => row.id,
  indexes: {
    webhook: (row) => row.webhookId,
    app: (row) => row.appId,
    user: (row) => row.userId,
    pair: (row) => `${row.webhookId}:${row.userId}`,
  },
});

/** What can happen to a subscribed account. */
export const ACTIVITY_KINDS = [
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
  at: z.number(),
  /** Who did it. */
  by: z.string(),
  /** The user it was done to, where it was done to a user. */
  to: z.string().optional(),
  /** Post, message or app that it is about. */
  ref: z.string().optional(),
  /** `<webhook id>:<user id>` of every subscription it was sent to. */
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
