import * as z from "zod";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";

export const SPACE_STATES = ["scheduled", "live", "ended"] as const;

/** Topic of a space. */
export const topic = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  description: z.string().optional(),
});

const spaceSchema = z.strictObject({
  id: z.string().regex(/^[a-zA-Z0-9]{1,13}$/),
  creatorId: z.string(),
  state: z.enum(SPACE_STATES),
  title: z.string(),
  lang: z.string(),
  hostIds: z.array(z.string()),
  speakerIds: z.array(z.string()),
  invitedUserIds: z.array(z.string()),
  topics: z.array(topic),
  isTicketed: z.boolean(),
  participantCount: z.int().min(0),
  subscriberCount: z.int().min(0),
  at: instant,
  updatedAt: instant,
  scheduledStart: instant.optional(),
  startedAt: instant.optional(),
  endedAt: instant.optional(),
});

/** A voice conversation. */
export type SpaceRow = z.infer<typeof spaceSchema>;

export const spaces = defineTable({
  name: "spaces",
  schema: spaceSchema,
  key: (row) => row.id,
  indexes: { creator: (row) => row.creatorId },
});
