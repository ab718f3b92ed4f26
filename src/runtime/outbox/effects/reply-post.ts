import type { ReplyPost } from "../../../actions/reply-post.ts";
import { isSameWithMedia } from "../../../actions/media.ts";
import { isSameReply } from "../../../actions/same-text.ts";
import { attachedTo } from "./attached.ts";
import type { Effect } from "./effect.ts";
import { findOwnPosts, PUBLISHING, READS_OWN_POSTS } from "./own-posts.ts";

export const replyPost: Effect<ReplyPost> = {
  ...PUBLISHING,
  reads: READS_OWN_POSTS,
  async perform(client, _account, { inReplyTo, text, media }, options) {
    const attached = await attachedTo(client, media, options);
    return (await client.posts.reply(inReplyTo, { text, ...attached }, options)).id;
  },
  find: (client, account, { inReplyTo, ...said }, window, options) =>
    findOwnPosts(
      client,
      account,
      window,
      options,
      (post) => post.answers === inReplyTo && isSameWithMedia(said, post.text, isSameReply),
    ),
};
