import { GROUP_ID } from "../conversation.ts";
import type { Wire } from "../wire.ts";
import { entitiesInDelivery } from "./entities.ts";
import { mediumInDelivery } from "./media.ts";
import type { ReadIncludes, ReadMessage } from "./objects.ts";
import { userInMessages } from "./user.ts";

/**
 * Creates the webhook delivery that corresponds to a message read from the platform's API, with the same key, lane,
 * people, text and time. `source_app_id` is missing, because responses do not report which app sent a message.
 *
 * @param account User id of the account that read the message.
 * @returns `undefined` for events that webhooks don't get: joining and leaving.
 */
export function messageDelivery(
  account: string,
  message: ReadMessage,
  { users = [], media = [] }: ReadIncludes = {},
): Wire | undefined {
  const { id, sender_id, text = "", entities, attachments } = message;
  const at = Date.parse(message.created_at);
  const target = targetOf(message);
  if (message.event_type !== "MessageCreate" || Number.isNaN(at)) return undefined;
  if (sender_id === undefined || target === undefined) return undefined;
  const [key] = attachments?.media_keys ?? [];
  const attached = media.find((one) => one.media_key === key);
  const people = users.filter(({ id: one }) => one === sender_id || one === target.recipient_id);
  return {
    for_user_id: account,
    direct_message_events: [
      {
        type: "message_create",
        id,
        created_timestamp: String(at),
        message_create: {
          target,
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

interface Target {
  readonly recipient_id?: string;
  readonly dm_conversation_id?: string;
  readonly participant_ids?: readonly string[];
}

/** Returns the participant who is not the sender, or the group; `undefined` if the conversation is neither. */
function targetOf(message: ReadMessage): Target | undefined {
  const { dm_conversation_id = "", sender_id, participant_ids } = message;
  if (GROUP_ID.test(dm_conversation_id)) {
    return { dm_conversation_id, ...(participant_ids && { participant_ids }) };
  }
  const [one, other, ...more] = dm_conversation_id.split("-");
  if (one === undefined || other === undefined || more.length > 0) return undefined;
  if (sender_id === one) return { recipient_id: other };
  return sender_id === other ? { recipient_id: one } : undefined;
}
