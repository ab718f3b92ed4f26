import type { Message } from "./entities.ts";

const DEFAULT_FIELDS = ["id", "event_type", "text"];

/** A message event of the data interface with its default fields and those asked for. */
export function renderMessage(
  message: Message,
  fields: readonly string[],
): Record<string, unknown> {
  const all = {
    id: message.id,
    event_type: "MessageCreate",
    text: message.text,
    sender_id: message.senderId,
    dm_conversation_id: message.conversationId,
    created_at: new Date(message.at).toISOString(),
  };
  const wanted = new Set([...DEFAULT_FIELDS, ...fields]);
  return Object.fromEntries(Object.entries(all).filter(([name]) => wanted.has(name)));
}
