import * as z from "zod";
import { conversationIdOf } from "../protocol/conversation-id.ts";
import { withId } from "./action-result.ts";
import { type ActionKind, platformId, sentText } from "./action-kind.ts";
import type { AccountEvent } from "../events/event.ts";
import { groupOf } from "../events/conversation.ts";
import { attachedFile, isSameWithMedia } from "./media.ts";
import { threadKeys } from "./public-keys.ts";

const schema = z
  .strictObject({
    type: z.literal("reply_dm"),
    /** User id of the recipient; in a group, of the person who is answered. */
    to: platformId,
    /** Id of the group in which the message is sent. Absent: the message is private. */
    conversation: platformId.optional(),
    /** Text of at least one character. */
    text: sentText,
    /** Absolute path of a picture or video. */
    media: attachedFile,
    ...threadKeys,
  })
  .readonly();

/** A direct message to one person, or to a group. */
export type ReplyDm = z.infer<typeof schema>;

export const replyDm: ActionKind<ReplyDm> = {
  schema,
  needs: {
    access: "read-write-directmessages",
    scopes: ["dm.write", "dm.read", "tweet.read", "users.read"],
  },
  repeatable: false,
  noticed: true,
  echo: {
    triggers: ["dm.sent", "dm.received"],
    recognise(event, { to, conversation = to, ...said }, { account, appId }) {
      if (event.kind !== "message") return undefined;
      const { message } = event;
      if (message.senderId !== account || message.recipientId !== conversation) return undefined;
      const otherApp = appId !== undefined && message.sourceAppId !== appId;
      if (otherApp || !isSameWithMedia(said, message.text)) return undefined;
      return { platformId: message.id, at: event.at };
    },
  },
  result: {
    fields: { message_id: "text", conversation_id: "text" },
    of: ({ to, conversation }, { account, platformId: id }) => ({
      ...withId("message_id", id),
      conversation_id: conversation ?? conversationIdOf(account, to),
    }),
  },
  describe: ({ conversation, text }, to) =>
    conversation === undefined
      ? `message to ${to}: ${text}`
      : `message in group ${conversation}: ${text}`,
};

/**
 * Returns the receiver of a message that answers an event: the group in which the event happened, else the person `to`.
 *
 * @param to User id of the person who is answered.
 */
export function placeOfReply(
  event: AccountEvent,
  to: string,
): Pick<ReplyDm, "to" | "conversation"> {
  const conversation = groupOf(event);
  return { to, ...(conversation !== undefined && { conversation }) };
}
