import * as z from "zod";
import { userOf } from "../auth/caller.ts";
import { controlInput } from "../control/input.ts";
import { jsonInput } from "../kernel/input.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Route } from "../kernel/route.ts";
import { otherOf, selfOf } from "./self.ts";
import { begin, end } from "./ties.ts";
import { users } from "./entities.ts";
import { findUser } from "./find.ts";
import { changeUser, createUser, userInput, userPatch } from "./people.ts";
import { pickUser, renderUser } from "./render.ts";

const auth = ["oauth1", "oauth2"] as const;
const followScopes = ["tweet.read", "users.read", "follows.write"] as const;

export const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/users/me",
    auth,
    scopes: ["tweet.read", "users.read"],
    limits: { user: 75 },
    handle: ({ sandbox, caller, query }) => ({
      body: { data: pickUser(sandbox, userOf(caller), query) },
    }),
  },
  {
    method: "GET",
    path: "/2/users/by/username/:username",
    auth: ["bearer", "oauth1", "oauth2"],
    scopes: ["tweet.read", "users.read"],
    limits: { app: 300, user: 900 },
    handle: ({ sandbox, params, query }) => {
      const name = params["username"] ?? "";
      const user = users.in(sandbox.world).first("username", name.toLowerCase());
      if (user === undefined) throw Refusal.notFound("user", "username", name);
      return { body: { data: pickUser(sandbox, user, query) } };
    },
  },
  {
    method: "POST",
    path: "/2/users/:id/following",
    auth,
    level: "read-write",
    scopes: followScopes,
    limits: { user: 50 },
    handle: (call) => {
      const user = selfOf(call);
      const body = jsonInput(call, z.looseObject({ target_user_id: z.string() }));
      begin(call.sandbox, "follow", user, otherOf(call, body.target_user_id, "target_user_id"));
      return { body: { data: { following: true, pending_follow: false } } };
    },
  },
  {
    method: "DELETE",
    path: "/2/users/:id/following/:target_user_id",
    auth,
    level: "read-write",
    scopes: followScopes,
    limits: { user: 50 },
    handle: (call) => {
      const target = otherOf(call, call.params["target_user_id"] ?? "", "target_user_id");
      end(call.sandbox, "follow", selfOf(call), target);
      return { body: { data: { following: false } } };
    },
  },
  {
    method: "POST",
    path: "/_sandbox/users",
    auth: ["control"],
    handle: (call) => {
      const user = createUser(call.sandbox, controlInput(call, userInput));
      return { body: { user: renderUser(call.sandbox, user) } };
    },
  },
  {
    method: "GET",
    path: "/_sandbox/users",
    auth: ["control"],
    handle: ({ sandbox, query }) => {
      const wanted = query.get("username")?.replace(/^@/, "").toLowerCase();
      const table = users.in(sandbox.world);
      const found = wanted === undefined ? [...table.all()] : table.where("username", wanted);
      return { body: { users: found.map((user) => renderUser(sandbox, user)) } };
    },
  },
  {
    method: "PATCH",
    path: "/_sandbox/users/:id",
    auth: ["control"],
    handle: (call) => {
      const user = findUser(call.sandbox, call.params["id"] ?? "");
      const changed = changeUser(call.sandbox, user, controlInput(call, userPatch));
      return { body: { user: renderUser(call.sandbox, changed) } };
    },
  },
];
