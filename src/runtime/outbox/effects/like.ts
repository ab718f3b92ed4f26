import type { LikePost } from "../../../actions/post-verbs.ts";
import { DAY_MS, type Effect, QUARTER_HOUR_MS } from "./effect.ts";

export const like: Effect<LikePost> = {
  endpoint: "POST /2/users/:id/likes",
  budget: [
    { limit: 50, windowMs: QUARTER_HOUR_MS, per: "account" },
    { limit: 1_000, windowMs: DAY_MS, per: "account" },
  ],
  reads: {
    endpoint: "GET /2/users/:id/liked_posts",
    budget: [{ limit: 75, windowMs: QUARTER_HOUR_MS, per: "account" }],
  },
  async perform(client, account, { postId }, options) {
    await client.likes.create({ userId: account, postId }, options);
    return undefined;
  },
  /** Reads the latest 100 likes, which include a like that may just have been given. */
  async find(client, account, { postId }, { until }, options) {
    const page = await client.likes.posts(account, { maxResults: 100 }, options);
    const liked = page.data.some(({ id }) => id === postId);
    return liked ? [{ platformId: postId, at: until }] : [];
  },
};
