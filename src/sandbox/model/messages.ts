import * as z from "zod";
import { compareIds } from "../kernel/world/ids.ts";
import { instant } from "../kernel/world/columns.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { defineTable } from "../kernel/world/table.ts";

const messageSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  conversationId: z.string(),
  /** Users who joined or left the group; absent for a message. */
  change: z
    .strictObject({ kind: z.enum(["join", "leave"]), participantIds: z.array(z.string()) })
    .optional(),
  senderId: z.string(),
  /** Id of the other user in a one-to-one conversation. */
  recipientId: z.string().optional(),
  /** Ids of the users who see the event: the participants when it happened, except users who have deleted the event. */
  readers: z.array(z.string()),
  text: z.string(),
  at: instant,
  /** App that sent the message; absent if the person used the platform's own app. */
  appId: z.string().optional(),
  mediaIds: z.array(z.string()).optional(),
  /** Ids of posts to which the text links. */
  postIds: z.array(z.string()).optional(),
});

/** A direct message, or a change of a group's participants, in its stored form. */
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

/** A conversation of more than two people. */
export type GroupRow = z.infer<typeof groupSchema>;

export const groups = defineTable({
  name: "dm_groups",
  schema: groupSchema,
  key: (row) => row.id,
  indexes: {},
});

/** Time after which message events disappear from lists. Source: direct message lookup of the live service. */
const LISTED_MS = 30 * 24 * 60 * 60_000;

/** Whether a message event is in the lists of a user. */
export function isMessageListed(event: MessageRow, userId: string, now: number): boolean {
  return event.at >= now - LISTED_MS && event.readers.includes(userId);
}

/** Returns the ids of the participants of a message's group; an empty list for a message between two users. */
export function participantsOf(world: SandboxWorld, message: MessageRow | undefined): string[] {
  return groups.in(world).get(message?.conversationId ?? "")?.participantIds ?? [];
}

/** Returns the id of the one-to-one conversation of two users: both user ids with a hyphen, the lower id first. */
export function pairConversation(a: string, b: string): string {
  return compareIds(a, b) <= 0 ? `${a}-${b}` : `${b}-${a}`;
}
