import type { CreatePost } from "../../../actions/create-post.ts";
import { isSameWithMedia } from "../../../actions/media.ts";
import { attachedTo } from "./attached.ts";
import type { Effect } from "./effect.ts";
import { findOwnPosts, PUBLISHING, READS_OWN_POSTS } from "./own-posts.ts";

export const createPost: Effect<CreatePost> = {
  ...PUBLISHING,
  reads: READS_OWN_POSTS,
  async perform(client, _account, { text, media }, options) {
    const attached = await attachedTo(client, media, options);
    return (await client.posts.create({ text, ...attached }, options)).id;
  },
  find: (client, account, said, window, options) =>
    findOwnPosts(client, account, window, options, ({ answers, quotes, reposts, ...post }) => {
      const isAlone = answers === undefined && quotes === undefined && reposts === undefined;
      return isAlone && isSameWithMedia(said, post.text);
    }),
};
