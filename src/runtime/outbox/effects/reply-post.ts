import type { ReplyPost } from "../../../actions/reply-post.ts";
import { isSameReply } from "../../../actions/same-text.ts";
import type { Effect } from "./effect.ts";
import { findOwnPosts, PUBLISHING, READS_OWN_POSTS } from "./own-posts.ts";

export const replyPost: Effect<ReplyPost> = {
  ...PUBLISHING,
  reads: READS_OWN_POSTS,
  async perform(client, _account, { inReplyTo, text }, options) {
    return (await client.posts.reply(inReplyTo, text, options)).id;
  },
  find: (client, account, { inReplyTo, text }, window, options) =>
    findOwnPosts(
      client,
      account,
      window,
      options,
      (post) => post.answers === inReplyTo && isSameReply(text, post.text),
    ),
};
