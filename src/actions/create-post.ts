import * as z from "zod";
import { postResult } from "./action-result.ts";
import { type ActionKind, platformId, sentText } from "./action-kind.ts";
import { pollKey, pollNote, publicKeys, threadKeys } from "./public-keys.ts";
import { attachedFile, isSameWithMedia } from "./media.ts";

const schema = z
  .strictObject({
    type: z.literal("create_post"),
    /**
     * User id of the posting account. The post addresses no person, so it is in the account's own lane (ordering key).
     */
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

/** A post of the account that is neither a reply nor a quote. */
export type CreatePost = z.infer<typeof schema>;

export const createPost: ActionKind<CreatePost> = {
  schema,
  needs: { access: "read-write", scopes: ["tweet.write", "tweet.read", "users.read"] },
  repeatable: false,
  noticed: true,
  echo: {
    triggers: ["post.created", "post.mentioned"],
    recognise(event, said, { account }) {
      if (event.kind !== "post" || event.post.author.id !== account) return undefined;
      const { post } = event;
      const { inReplyToPostId, quoted, quotedPostId, reposted } = post;
      const others = [inReplyToPostId, quoted, quotedPostId, reposted];
      if (others.some((one) => one !== undefined)) return undefined;
      if (!isSameWithMedia(said, post.text)) return undefined;
      return { platformId: post.id, at: event.at };
    },
  },
  result: postResult,
  describe: ({ text, ...post }) => `post: ${text}${pollNote(post)}`,
};
