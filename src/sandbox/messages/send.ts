import type { User } from "../accounts/entities.ts";
import { emit } from "../activity/emit.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { posts } from "../posts/entities.ts";
import { unseenPost } from "../posts/visible.ts";
import { type Group, type Message, messages, pairConversation } from "./entities.ts";

/** What a message carries besides its text. */
export interface Enclosed {
  /** App that sends it. */
  readonly appId?: string | undefined;
  readonly mediaIds?: readonly string[] | undefined;
}

/** The page of a post, on any host: messages show the post beside the link. */
const POST_LINK = /https?:\/\/[^\s/]+\/(?:[^\s/]+\/)*status\/(\d{1,19})/g;

/** Puts a message between two users and tells both. */
export function sendMessage(
  sandbox: Sandbox,
  sender: User,
  recipient: User,
  text: string,
  enclosed: Enclosed = {},
): Message {
  const message = messages.in(sandbox.world).put({
    ...written(sandbox, sender, text, enclosed),
    conversationId: pairConversation(sender.id, recipient.id),
    recipientId: recipient.id,
    readers: [...new Set([sender.id, recipient.id])],
  });
  emit(sandbox, {
    kind: "message",
    by: sender.id,
    to: recipient.id,
    ref: message.id,
    involved: [sender.id, recipient.id],
  });
  return message;
}

/** Puts a message into a group. Account activity does not deliver those. */
export function sendToGroup(
  sandbox: Sandbox,
  sender: User,
  group: Group,
  text: string,
  enclosed: Enclosed = {},
): Message {
  const message = messages.in(sandbox.world).put({
    ...written(sandbox, sender, text, enclosed),
    conversationId: group.id,
    readers: group.participantIds,
  });
  emit(sandbox, { kind: "message", by: sender.id, ref: message.id, involved: [] });
  return message;
}

function written(
  { world, time }: Sandbox,
  sender: User,
  text: string,
  { appId, mediaIds = [] }: Enclosed,
): Omit<Message, "conversationId" | "readers"> {
  const linked = [...text.matchAll(POST_LINK)].flatMap((match) => match[1] ?? []);
  const postIds = [...new Set(linked)].filter(
    (id) => unseenPost(world, sender.id, posts.in(world).get(id)) === undefined,
  );
  return {
    id: world.ids.next(),
    senderId: sender.id,
    text,
    at: time.now(),
    ...(appId === undefined ? {} : { appId }),
    ...(mediaIds.length === 0 ? {} : { mediaIds: [...mediaIds] }),
    ...(postIds.length === 0 ? {} : { postIds }),
  };
}
