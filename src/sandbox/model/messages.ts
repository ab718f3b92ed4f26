import * as z from "zod";
import { compareIds } from "../kernel/world/ids.ts";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";

const messageSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  conversationId: z.string(),
  /** Absent for a message; else who joined the group or left it. */
  change: z
    .strictObject({ kind: z.enum(["join", "leave"]), participantIds: z.array(z.string()) })
    .optional(),
  senderId: z.string(),
  /** The other user of a one-to-one conversation. */
  recipientId: z.string().optional(),
  /** Users who have it in their lists: the participants at its time, without those who deleted it. */
  readers: z.array(z.string()),
  text: z.string(),
  at: instant,
  /** App that sent it; absent for people at their own clients. */
  appId: z.string().optional(),
  mediaIds: z.array(z.string()).optional(),
  /** Posts that its text links to. */
  postIds: z.array(z.string()).optional(),
});

/** A direct message, or a change of a group's participants, as a compact fact. */
export type MessageRow = z.infer<typeof messageSchema>;

export const messages = defineTable({
  name: "messages",
  schema: messageSchema,
  key: (row) => row.id,
  order: (row) => row.id,
  indexes: {
    conversation: (row) => row.conversationId,
    reader: (row) => row.readers,
  },
});

const groupSchema = z.strictObject({
  id: z.string(),
  participantIds: z.array(z.string()),
  at: instant,
});

/** A conversation of more than two. */
export type GroupRow = z.infer<typeof groupSchema>;

export const groups = defineTable({
  name: "dm_groups",
  schema: groupSchema,
  key: (row) => row.id,
  indexes: {},
});

/** Id of the one-to-one conversation of two users: the lower user id first. */
export function pairConversation(a: string, b: string): string {
  return compareIds(a, b) <= 0 ? `${a}-${b}` : `${b}-${a}`;
}
