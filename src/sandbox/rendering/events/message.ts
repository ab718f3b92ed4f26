import type { WireObject } from "../selection.ts";
import { type UserRow, users } from "../../model/accounts.ts";
import { apps } from "../../model/apps.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import { type MessageRow, participantsOf } from "../../model/messages.ts";
import { shownMessage } from "../messages.ts";
import { mediaInEvent } from "./media.ts";
import { wireEntities } from "./post.ts";

/** App of messages sent from the platform's own pages. No developer app has this id. */
const WEB_APP = { id: "1", name: "Platform Web App", url: "https://platform.example" };

/**
 * Renders a message as `direct_message_events`, and its app as `apps`. Source: "Event kinds" of the interface.
 *
 * @param forUserId User whose subscription receives the event.
 * @param baseUrl Origin of the URLs of the message's media; by default the sandbox's.
 */
export function messageInEvent(
  world: SandboxWorld,
  row: MessageRow,
  forUserId: string,
  baseUrl: string = world.baseUrl,
): WireObject {
  const sender = row.appId === undefined ? undefined : apps.in(world).get(row.appId);
  const app =
    sender === undefined ? WEB_APP : { id: sender.id, name: sender.name, url: sender.websiteUrl };
  const shown = shownMessage(row);
  const { hashtags, symbols, user_mentions, urls, added } = wireEntities(world, shown);
  const [attached] = mediaInEvent(world, row.mediaIds ?? [], added[0], { id: row.id, baseUrl });
  return {
    direct_message_events: [
      {
        type: "message_create",
        id: row.id,
        created_timestamp: String(row.at),
        message_create: {
          target: targetOf(world, row, forUserId),
          sender_id: row.senderId,
          source_app_id: app.id,
          message_data: {
            text: shown.text,
            entities: { hashtags, symbols, user_mentions, urls: [...urls, ...added] },
            ...(attached === undefined ? {} : { attachment: { type: "media", media: attached } }),
          },
        },
      },
    ],
    apps: { [app.id]: app },
  };
}

/**
 * Renders the recipient. In a group, the recipient is the user who receives the event, and the conversation and its
 * participants are added.
 */
function targetOf(world: SandboxWorld, row: MessageRow, forUserId: string): WireObject {
  if (row.recipientId !== undefined) return { recipient_id: row.recipientId };
  return {
    ...(forUserId === row.senderId ? {} : { recipient_id: forUserId }),
    dm_conversation_id: row.conversationId,
    participant_ids: participantsOf(world, row),
  };
}

/** Returns the people in the `users` map of a message: sender and recipient, or the participants of a group. */
export function peopleOf(world: SandboxWorld, row: MessageRow): readonly UserRow[] {
  const others = row.recipientId === undefined ? participantsOf(world, row) : [row.recipientId];
  return [...new Set([row.senderId, ...others])].flatMap((id) => users.in(world).get(id) ?? []);
}
