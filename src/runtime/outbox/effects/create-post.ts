import type { CreatePost } from "../../../actions/create-post.ts";
import { isSameText } from "../../../actions/same-text.ts";
import type { Effect } from "./effect.ts";
import { findOwnPosts, PUBLISHING, READS_OWN_POSTS } from "./own-posts.ts";

export const createPost: Effect<CreatePost> = {
  ...PUBLISHING,
  reads: READS_OWN_POSTS,
  async perform(client, _account, { text }, options) {
    return (await client.posts.create({ text }, options)).id;
  },
  find: (client, account, { text }, window, options) =>
    findOwnPosts(client, account, window, options, ({ answers, quotes, reposts, ...post }) => {
      const isAlone = answers === undefined && quotes === undefined && reposts === undefined;
      return isAlone && isSameText(text, post.text);
    }),
};
