import { selfOf } from "../accounts/self.ts";
import { appOf, userOf } from "../auth/caller.ts";
import { jsonInput } from "../kernel/input.ts";
import type { Call, Route } from "../kernel/route.ts";
import { type Post, posts } from "./entities.ts";
import { seenPost } from "./find.ts";
import { hiddenInput, onPostInput, postInput } from "./input.ts";
import { hideReply, publish, refuseRepost, unpublish } from "./rules.ts";
import { versionsOf } from "./versions.ts";
import { deletePost, like, repost, repostOf, unlike } from "./write.ts";

const writing = {
  auth: ["oauth1", "oauth2"],
  level: "read-write",
  scopes: ["tweet.read", "tweet.write", "users.read"],
  limits: { user: 50 },
} as const;

const liking = {
  ...writing,
  scopes: ["tweet.read", "users.read", "like.write"],
  limits: { user: 50, userDay: 1_000 },
} as const;

export const writeRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/2/posts",
    ...writing,
    limits: { user: 100, appDay: 10_000 },
    handle: (call) => {
      const input = jsonInput(call, postInput);
      const post = publish(call.sandbox, appOf(call.caller), userOf(call.caller), input);
      const history = versionsOf(call.sandbox.world, post).map(({ id }) => id);
      return {
        status: 201,
        body: { data: { edit_history_post_ids: history, id: post.id, text: post.text } },
      };
    },
  },
  {
    method: "DELETE",
    path: "/2/posts/:id",
    ...writing,
    handle: (call) => {
      const post = seenPost(call, call.params["id"] ?? "", "id");
      unpublish(call.sandbox, userOf(call.caller), post);
      return { body: { data: { deleted: true } } };
    },
  },
  {
    method: "PUT",
    path: "/2/posts/:id/hidden",
    ...writing,
    scopes: ["tweet.read", "users.read", "tweet.moderate.write"],
    handle: (call) => {
      const { hidden } = jsonInput(call, hiddenInput);
      const reply = seenPost(call, call.params["id"] ?? "", "id");
      hideReply(call.sandbox, userOf(call.caller), reply, hidden);
      return { body: { data: { hidden } } };
    },
  },
  {
    method: "POST",
    path: "/2/users/:id/likes",
    ...liking,
    handle: (call) => {
      const user = selfOf(call);
      like(call.sandbox, user, named(call));
      return { body: { data: { liked: true } } };
    },
  },
  {
    method: "DELETE",
    path: "/2/users/:id/likes/:post_id",
    ...liking,
    handle: (call) => {
      unlike(call.sandbox, selfOf(call), call.params["post_id"] ?? "");
      return { body: { data: { liked: false } } };
    },
  },
  {
    method: "POST",
    path: "/2/users/:id/reposts",
    ...writing,
    handle: (call) => {
      const user = selfOf(call);
      const post = named(call);
      refuseRepost(call.sandbox, user, post);
      const { id } = repost(call.sandbox, user, post, appOf(call.caller).id);
      return { body: { data: { id, rest_id: id, retweeted: true } } };
    },
  },
  {
    method: "DELETE",
    path: "/2/users/:id/reposts/:post_id",
    ...writing,
    handle: (call) => {
      const standing = repostOf(call.sandbox, selfOf(call), call.params["post_id"] ?? "");
      if (standing !== undefined) deletePost(call.sandbox, standing);
      return { body: { data: { retweeted: false } } };
    },
  },
];

/** The post that a body names; a repost stands for the post it repeats. */
function named(call: Call): Post {
  const { post_id: id } = jsonInput(call, onPostInput);
  const post = seenPost(call, id, "tweet_id");
  return post.repostOf === undefined
    ? post
    : (posts.in(call.sandbox.world).get(post.repostOf) ?? post);
}
