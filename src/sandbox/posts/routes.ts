import * as z from "zod";
import { selfOf } from "../accounts/self.ts";
import { appOf, userOf } from "../auth/caller.ts";
import { jsonInput } from "../kernel/input.ts";
import type { Route } from "../kernel/route.ts";
import { findPost, postInput, publish, unpublish } from "./rules.ts";
import { like, unlike } from "./write.ts";

const auth = ["oauth1", "oauth2"] as const;
const level = "read-write" as const;
const writes = ["tweet.read", "tweet.write", "users.read"] as const;
const likes = ["tweet.read", "users.read", "like.write"] as const;

export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/2/posts",
    auth,
    level,
    scopes: writes,
    limits: { user: 100, appDay: 10_000 },
    handle: (call) => {
      const { id, text } = publish(
        call.sandbox,
        appOf(call.caller),
        userOf(call.caller),
        jsonInput(call, postInput),
      );
      return { status: 201, body: { data: { edit_history_post_ids: [id], id, text } } };
    },
  },
  {
    method: "DELETE",
    path: "/2/posts/:id",
    auth,
    level,
    scopes: writes,
    limits: { user: 50 },
    handle: (call) => {
      unpublish(call.sandbox, userOf(call.caller), call.params["id"] ?? "");
      return { body: { data: { deleted: true } } };
    },
  },
  {
    method: "POST",
    path: "/2/users/:id/likes",
    auth,
    level,
    scopes: likes,
    limits: { user: 50, userDay: 1_000 },
    handle: (call) => {
      const user = selfOf(call);
      const { post_id: id } = jsonInput(call, z.looseObject({ post_id: z.string() }));
      like(call.sandbox, user, findPost(call.sandbox, id, "tweet_id"));
      return { body: { data: { liked: true } } };
    },
  },
  {
    method: "DELETE",
    path: "/2/users/:id/likes/:post_id",
    auth,
    level,
    scopes: likes,
    limits: { user: 50, userDay: 1_000 },
    handle: (call) => {
      unlike(
        call.sandbox,
        selfOf(call),
        findPost(call.sandbox, call.params["post_id"] ?? "", "tweet_id"),
      );
      return { body: { data: { liked: false } } };
    },
  },
];
