import * as z from "zod";
import { postResult } from "./action-result.ts";
import { type ActionKind, platformId, sentText } from "./action-kind.ts";
import { pollKey, pollNote, publicKeys, threadKeys } from "./public-keys.ts";
import { attachedFile, isSameWithMedia } from "./media.ts";
import { isSameReply } from "./same-text.ts";

const schema = z
  .strictObject({
    type: z.literal("reply_post"),
    /** Id of the post to reply to. */
    inReplyTo: platformId,
    /** User id of the author of the answered post; determines the lane (ordering key). */
    to: platformId,
    /** Text of at least one character. */
    text: sentText,
    /** Absolute path of a picture or video. */
    media: attachedFile,
    ...publicKeys,
    ...pollKey,
    ...threadKeys,
  })
  .readonly();

/** A post that replies to another post. */
export type ReplyPost = z.infer<typeof schema>;

export const replyPost: ActionKind<ReplyPost> = {
  schema,
  needs: { access: "read-write", scopes: ["tweet.write", "tweet.read", "users.read"] },
  repeatable: false,
  noticed: true,
  echo: {
    triggers: ["post.created", "post.replied", "post.mentioned"],
    recognise(event, { inReplyTo, ...said }, { account }) {
      if (event.kind !== "post" || event.post.author.id !== account) return undefined;
      const { post } = event;
      if (post.inReplyToPostId !== inReplyTo) return undefined;
      if (!isSameWithMedia(said, post.text, isSameReply)) return undefined;
      return { platformId: post.id, at: event.at };
    },
  },
  result: postResult,
  describe: ({ inReplyTo, text, ...post }) =>
    `reply to post ${inReplyTo}: ${text}${pollNote(post)}`,
};
