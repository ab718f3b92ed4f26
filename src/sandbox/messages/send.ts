import type { UserRow } from "../model/accounts.ts";
import { emit } from "../activity/emit.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { posts } from "../model/posts.ts";
import { hiddenPostReason } from "../model/hidden-reason.ts";
import { type GroupRow, type MessageRow, messages, pairConversation } from "../model/messages.ts";

/** Properties of a message besides its text. */
export interface MessageExtras {
  /** App that sends the message. */
  readonly appId?: string | undefined;
  readonly mediaIds?: readonly string[] | undefined;
}

/** Matches a link to a post, on any host. A message with such a link refers to the post. */
const POST_LINK = /https?:\/\/[^\s/]+\/(?:[^\s/]+\/)*status\/(\d{1,19})/g;

/** Sends a message to one user and emits an activity to sender and recipient. */
export function sendMessage(
  sandbox: Sandbox,
  sender: UserRow,
  recipient: UserRow,
  text: string,
  extras: MessageExtras = {},
): MessageRow {
  const message = messages.in(sandbox.world).put({
    ...newMessage(sandbox, sender, text, extras),
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

/** Sends a message to a group and emits an activity to every participant. */
export function sendToGroup(
  sandbox: Sandbox,
  sender: UserRow,
  group: GroupRow,
  text: string,
  extras: MessageExtras = {},
): MessageRow {
  const message = messages.in(sandbox.world).put({
    ...newMessage(sandbox, sender, text, extras),
    conversationId: group.id,
    readers: group.participantIds,
  });
  emit(sandbox, {
    kind: "message",
    by: sender.id,
    ref: message.id,
    involved: group.participantIds,
  });
  return message;
}

function newMessage(
  { world, time }: Sandbox,
  sender: UserRow,
  text: string,
  { appId, mediaIds = [] }: MessageExtras,
): Omit<MessageRow, "conversationId" | "readers"> {
  const linked = [...text.matchAll(POST_LINK)].flatMap((match) => match[1] ?? []);
  const postIds = [...new Set(linked)].filter(
    (id) => hiddenPostReason(world, sender.id, posts.in(world).get(id)) === undefined,
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

/**
 * Notifies a person that another person is typing, or has read the messages up to `ref`.
 *
 * @param ref Id of the last message that was read; absent for typing.
 * @returns the id of the emitted activity.
 */
export function indicate(
  sandbox: Sandbox,
  by: UserRow,
  to: UserRow,
  kind: "typing" | "read",
  ref?: string,
): string {
  return emit(sandbox, { kind, by: by.id, to: to.id, ref, involved: [to.id] });
}
