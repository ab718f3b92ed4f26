import type { Repost } from "../../../actions/post-verbs.ts";
import { type Effect, QUARTER_HOUR_MS } from "./effect.ts";
import { findOwnPosts, READS_OWN_POSTS } from "./own-posts.ts";

export const repost: Effect<Repost> = {
  endpoint: "POST /2/users/:id/reposts",
  budget: [{ limit: 50, windowMs: QUARTER_HOUR_MS, per: "account" }],
  reads: READS_OWN_POSTS,
  async perform(client, account, { postId }, options) {
    return (await client.reposts.create({ userId: account, postId }, options)).id;
  },
  find: (client, account, { postId }, window, options) =>
    findOwnPosts(client, account, window, options, ({ reposts }) => reposts === postId),
};
