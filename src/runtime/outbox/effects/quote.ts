import { isSameQuote, type QuotePost } from "../../../actions/quote.ts";
import type { Effect } from "./effect.ts";
import { findOwnPosts, PUBLISHING, READS_OWN_POSTS } from "./own-posts.ts";

export const quote: Effect<QuotePost> = {
  ...PUBLISHING,
  reads: READS_OWN_POSTS,
  async perform(client, _account, { postId, text }, options) {
    return (await client.posts.create({ text, quotePostId: postId }, options)).id;
  },
  find: (client, account, { postId, text }, window, options) =>
    findOwnPosts(
      client,
      account,
      window,
      options,
      (post) => post.quotes === postId && isSameQuote(text, post.text),
    ),
};
