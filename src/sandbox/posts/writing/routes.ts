import { requireSelf, findOriginalPost, findVisiblePost } from "../../data-query/viewer.ts";
import { appOf, userOf } from "../../auth/caller.ts";
import { jsonInput, sentKeys } from "../../server/input.ts";
import type { RouteCall, Route } from "../../server/route.ts";
import { type PostRow, versionsOf } from "../../model/posts.ts";
import { shownPost } from "../../rendering/shown-post.ts";
import { DESCRIBED } from "../ledger.ts";
import { hiddenInput, onPostInput, postInput } from "./input.ts";
import { hideReply, publishPost, refuseRepost, deleteOwnPost } from "./rules.ts";
import { deletePost, like, repost, repostOf, unlike } from "./write.ts";

const writing = {
  ledger: DESCRIBED,
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
      const post = publishPost(call.sandbox, appOf(call.caller), userOf(call.caller), input);
      const history = versionsOf(call.sandbox.world, post).map(({ id }) => id);
      return {
        status: 201,
        body: {
          data: {
            edit_history_post_ids: history,
            id: post.id,
            text: shownPost(call.sandbox.world, post).text,
          },
        },
      };
    },
  },
  {
    method: "DELETE",
    path: "/2/posts/:id",
    ...writing,
    handle: (call) => {
      const post = findVisiblePost(call, call.params["id"] ?? "", "id");
      deleteOwnPost(call.sandbox, userOf(call.caller), post);
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
      const reply = findVisiblePost(call, call.params["id"] ?? "", "id");
      hideReply(call.sandbox, userOf(call.caller), reply, hidden);
      return { body: { data: { hidden } } };
    },
  },
  {
    method: "POST",
    path: "/2/users/:id/likes",
    ...liking,
    handle: (call) => {
      const user = requireSelf(call);
      like(call.sandbox, user, postInBody(call));
      return { body: { data: { liked: true } } };
    },
  },
  {
    method: "DELETE",
    path: "/2/users/:id/likes/:post_id",
    ...liking,
    handle: (call) => {
      unlike(call.sandbox, requireSelf(call), call.params["post_id"] ?? "");
      return { body: { data: { liked: false } } };
    },
  },
  {
    method: "POST",
    path: "/2/users/:id/reposts",
    ...writing,
    handle: (call) => {
      const user = requireSelf(call);
      const post = postInBody(call);
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
      const existing = repostOf(call.sandbox, requireSelf(call), call.params["post_id"] ?? "");
      if (existing !== undefined) deletePost(call.sandbox, existing);
      return { body: { data: { retweeted: false } } };
    },
  },
];

/** Finds the post that a body names; for a repost, returns the original. */
function postInBody(call: RouteCall): PostRow {
  const { post_id: id } = jsonInput(call, onPostInput);
  return findOriginalPost(call, id, sentKeys(call, ["post_id"]).join("."));
}
