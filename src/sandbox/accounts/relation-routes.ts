import * as z from "zod";
import type { Scope } from "../../interface/access.ts";
import { userOf } from "../auth/caller.ts";
import { jsonInput } from "../kernel/input.ts";
import type { Call, Route } from "../kernel/route.ts";
import type { Relation, User } from "./entities.ts";
import { follow, refuseSelf, unfollow } from "./relate.ts";
import { seenUser } from "./seen.ts";
import { selfOf } from "./self.ts";
import { begin, end, tie, untie } from "./ties.ts";

const target = z.strictObject({
  target_user_id: z.string().regex(/^[0-9]{1,19}$/, "does not match ^[0-9]{1,19}$"),
});

const writing = (scope: Scope) =>
  ({
    auth: ["oauth1", "oauth2"],
    level: "read-write",
    scopes: ["tweet.read", "users.read", scope],
    limits: { user: 50 },
  }) as const;

const messaging = {
  ...writing("dm.write"),
  level: "read-write-directmessages",
} as const;

export const relationRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/2/users/:id/following",
    ...writing("follows.write"),
    handle: (call) => {
      const { from, to } = pairInBody(call);
      return { body: { data: follow(call.sandbox, from, to) } };
    },
  },
  {
    method: "DELETE",
    path: "/2/users/:id/following/:target_user_id",
    ...writing("follows.write"),
    handle: (call) => {
      const { from, to } = pairInPath(call);
      unfollow(call.sandbox, from, to);
      return { body: { data: { following: false } } };
    },
  },
  ...simple("mute", "muting", "mute.write"),
  ...simple("block", "blocking", "block.write"),
  {
    method: "POST",
    path: "/2/users/:id/dm/block",
    ...messaging,
    handle: (call) => {
      const { user, other } = messagePair(call);
      tie(call.sandbox, "dm_block", user.id, other.id);
      return { body: { data: { blocked: true } } };
    },
  },
  {
    method: "POST",
    path: "/2/users/:id/dm/unblock",
    ...messaging,
    handle: (call) => {
      const { user, other } = messagePair(call);
      untie(call.sandbox, "dm_block", user.id, other.id);
      return { body: { data: { blocked: false } } };
    },
  },
];

/** The two routes that begin and end a relation. */
function simple(kind: Relation, word: "muting" | "blocking", scope: Scope): Route[] {
  return [
    {
      method: "POST",
      path: `/2/users/:id/${word}`,
      ...writing(scope),
      handle: (call) => {
        const { from, to } = pairInBody(call);
        refuseSelf(from, to, kind);
        begin(call.sandbox, kind, from, to);
        return { body: { data: { [word]: true } } };
      },
    },
    {
      method: "DELETE",
      path: `/2/users/:id/${word}/:target_user_id`,
      ...writing(scope),
      handle: (call) => {
        const { from, to } = pairInPath(call);
        end(call.sandbox, kind, from, to);
        return { body: { data: { [word]: false } } };
      },
    },
  ];
}

function pairInBody(call: Call): { from: User; to: User } {
  const from = selfOf(call);
  const { target_user_id: id } = jsonInput(call, target);
  return { from, to: seenUser(call, id, "target_user_id") };
}

function pairInPath(call: Call): { from: User; to: User } {
  const from = selfOf(call);
  return { from, to: seenUser(call, call.params["target_user_id"] ?? "", "target_user_id") };
}

/** Here the path names the other user, not the caller. */
function messagePair(call: Call): { user: User; other: User } {
  const other = seenUser(call, call.params["id"] ?? "", "id");
  const user = userOf(call.caller);
  refuseSelf(user, other, "block");
  return { user, other };
}
