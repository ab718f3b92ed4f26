import type { OnPostVerb, PostVerb } from "../../../actions/post-verbs.ts";
import type { CallOptions } from "../../../client/client.ts";
import { deletedObject } from "./deleted.ts";
import {
  type ActingClient,
  DAY_MS,
  type Effect,
  QUARTER_HOUR_MS,
  type UnshownEffect,
} from "./effect.ts";
import { findOwnPosts, READS_OWN_POSTS } from "./own-posts.ts";

const QUARTER_HOUR = { limit: 50, windowMs: QUARTER_HOUR_MS, per: "account" } as const;
const LIKES = [QUARTER_HOUR, { limit: 1_000, windowMs: DAY_MS, per: "account" }] as const;
const READS_LIKES = {
  endpoint: "GET /2/users/:id/liked_posts",
  budget: [{ limit: 75, windowMs: QUARTER_HOUR_MS, per: "account" }],
} as const;
const READS_POST = {
  endpoint: "GET /2/posts/:id",
  budget: [{ limit: 900, windowMs: QUARTER_HOUR_MS, per: "account" }],
} as const;

/** Requests of the verbs that act on a post, such as `repost`, with the search for their results. */
export const POST_EFFECTS = {
  repost: {
    endpoint: "POST /2/users/:id/reposts",
    budget: [QUARTER_HOUR],
    reads: READS_OWN_POSTS,
    async perform(client, account, { postId }, options) {
      const { retweeted, id } = await client.reposts.create({ userId: account, postId }, options);
      const result = { reposted: retweeted };
      return id === undefined
        ? { result }
        : { platformId: id, result: { ...result, repost_id: id } };
    },
    find: (client, account, { postId }, since, options?: CallOptions) =>
      findOwnPosts(client, account, since, options, ({ reposts }) => reposts === postId),
  },
  undo_repost: {
    endpoint: "DELETE /2/users/:id/reposts/:post_id",
    budget: [QUARTER_HOUR],
    async perform(client, account, { postId }, options) {
      const { retweeted } = await client.reposts.delete({ userId: account, postId }, options);
      return { result: { reposted: retweeted } };
    },
  },
  like: {
    endpoint: "POST /2/users/:id/likes",
    budget: LIKES,
    reads: READS_LIKES,
    async perform(client, account, { postId }, options) {
      const { liked } = await client.likes.create({ userId: account, postId }, options);
      return { result: { liked } };
    },
    async find(client, account, { postId }, _since, options?: CallOptions) {
      const isLiked = await likedLately(client, account, postId, options);
      return isLiked ? [{ platformId: postId }] : [];
    },
  },
  unlike: {
    endpoint: "DELETE /2/users/:id/likes/:post_id",
    budget: LIKES,
    async perform(client, account, { postId }, options) {
      const { liked } = await client.likes.delete({ userId: account, postId }, options);
      return { result: { liked } };
    },
  },
  hide_reply: hiding(true),
  unhide_reply: hiding(false),
  delete_post: {
    endpoint: "DELETE /2/posts/:id",
    budget: [QUARTER_HOUR],
    reads: READS_POST,
    async perform(client, _account, { postId }, options) {
      const { deleted } = await client.posts.delete(postId, options);
      return { result: { deleted } };
    },
    find: (client, _account, { postId }, _since, options?: CallOptions) =>
      deletedObject(postId, () => client.posts.get(postId, {}, options)),
  },
} satisfies { readonly [V in OnPostVerb]: Effect<PostVerb<V>> | UnshownEffect<PostVerb<V>> };

/** Whether the post is among the account's latest 100 likes. A like given a moment ago is among them. */
async function likedLately(
  client: ActingClient,
  account: string,
  postId: string,
  options: CallOptions | undefined,
): Promise<boolean> {
  const page = await client.likes.posts(account, { maxResults: 100 }, options);
  return page.data.some(({ id }) => id === postId);
}

/** Creates the verb that hides a reply or shows it again. The platform does not show which replies are hidden. */
function hiding(isHidden: boolean): UnshownEffect<PostVerb<"hide_reply" | "unhide_reply">> {
  return {
    endpoint: "PUT /2/posts/:id/hidden",
    budget: [QUARTER_HOUR],
    async perform({ posts }, _account, { postId }, options) {
      const hide = isHidden ? posts.hideReply : posts.unhideReply;
      const { hidden } = await hide(postId, options);
      return { result: { hidden } };
    },
  };
}
