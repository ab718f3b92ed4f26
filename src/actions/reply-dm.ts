import * as z from "zod";
import { conversationIdOf } from "../protocol/conversation-id.ts";
import { withId } from "./action-result.ts";
import { type ActionKind, platformId, sentText } from "./action-kind.ts";
import { attachedFile, isSameWithMedia } from "./media.ts";

const schema = z
  .strictObject({
    type: z.literal("reply_dm"),
    /** User id of the recipient. */
    to: platformId,
    /** 1 character or more. */
    text: sentText,
    /** Absolute path of a picture or video. */
    media: attachedFile,
  })
  .readonly();

/** A direct message to one person. */
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
    recognise(event, { to, ...said }, { account, appId }) {
      if (event.kind !== "message") return undefined;
      const { message } = event;
      if (message.senderId !== account || message.recipientId !== to) return undefined;
      const otherApp = appId !== undefined && message.sourceAppId !== appId;
      if (otherApp || !isSameWithMedia(said, message.text)) return undefined;
      return { platformId: message.id, at: event.at };
    },
  },
  result: {
    fields: { message_id: "text", conversation_id: "text" },
    of: ({ to }, { account, platformId: id }) => ({
      ...withId("message_id", id),
      conversation_id: conversationIdOf(account, to),
    }),
  },
  describe: ({ to, text }) => `message to ${to}: ${text}`,
};
