import * as z from "zod";
import { compareIds } from "../kernel/ids.ts";
import { defineTable } from "../kernel/table.ts";

const messageSchema = z.strictObject({
  id: z.string(),
  conversationId: z.string(),
  senderId: z.string(),
  /** The other side of a one-to-one conversation. */
  recipientId: z.string().optional(),
  text: z.string(),
  at: z.number(),
  /** App that sent it; absent for people at their own clients. */
  appId: z.string().optional(),
  mediaIds: z.array(z.string()).optional(),
  /** Users whose lists it has left. */
  deletedBy: z.array(z.string()).optional(),
});

/** A direct message as a compact fact. */
export type Message = z.infer<typeof messageSchema>;

export const messages = defineTable({
  name: "messages",
  schema: messageSchema,
  key: (row) => row.id,
  indexes: {
    conversation: (row) => row.conversationId,
    sender: (row) => row.senderId,
    recipient: (row) => row.recipientId,
  },
});

/** Id of the one-to-one conversation of two users: the lower user id first. */
export function pairConversation(a: string, b: string): string {
  return compareIds(a, b) <= 0 ? `${a}-${b}` : `${b}-${a}`;
}
