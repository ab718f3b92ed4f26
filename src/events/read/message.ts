import type { Wire } from "../wire.ts";
import { entitiesInDelivery } from "./entities.ts";
import { mediumInDelivery } from "./media.ts";
import type { ReadIncludes, ReadMessage } from "./objects.ts";
import { userInMessages } from "./user.ts";

/**
 * Creates the webhook delivery that corresponds to a message read from the data interface, with the same
 * key, lane, people, text and time.
 *
 * `source_app_id` is missing, because the interface does not report which app sent a message.
 *
 * @param account User id of the account that read it.
 * @returns `undefined` for events that webhooks don't get: joining, leaving, and messages of groups.
 */
export function messageDelivery(
  account: string,
  message: ReadMessage,
  { users = [], media = [] }: ReadIncludes = {},
): Wire | undefined {
  const { id, sender_id, text = "", entities, attachments } = message;
  const at = Date.parse(message.created_at);
  const recipient = recipientOf(message);
  if (message.event_type !== "MessageCreate" || Number.isNaN(at)) return undefined;
  if (sender_id === undefined || recipient === undefined) return undefined;
  const [key] = attachments?.media_keys ?? [];
  const attached = media.find((one) => one.media_key === key);
  const people = users.filter((user) => user.id === sender_id || user.id === recipient);
  return {
    for_user_id: account,
    direct_message_events: [
      {
        type: "message_create",
        id,
        created_timestamp: String(at),
        message_create: {
          target: { recipient_id: recipient },
          sender_id,
          message_data: {
            text,
            entities: entitiesInDelivery(entities),
            ...(attached === undefined
              ? {}
              : { attachment: { type: "media", media: mediumInDelivery(attached) } }),
          },
        },
      },
    ],
    users: Object.fromEntries(people.map((user) => [user.id, userInMessages(user)])),
  };
}

/** The participant of the conversation who is not the sender; undefined in a group. */
function recipientOf({ dm_conversation_id = "", sender_id }: ReadMessage): string | undefined {
  const [one, other, ...more] = dm_conversation_id.split("-");
  if (one === undefined || other === undefined || more.length > 0) return undefined;
  if (sender_id === one) return other;
  return sender_id === other ? one : undefined;
}
