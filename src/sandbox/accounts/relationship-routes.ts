import * as z from "zod";
import type { OAuthScope } from "../../protocol/access.ts";
import { idInput } from "../kernel/http/id-input.ts";
import { assumed, type Fidelity, DESCRIBED } from "../kernel/ledger.ts";
import { userOf } from "../auth/caller.ts";
import { jsonInput } from "../server/input.ts";
import type { RouteCall, Route } from "../server/route.ts";
import type { UserRelation, UserRow } from "../model/accounts.ts";
import { findVisibleUser, requireSelf } from "../data-query/viewer.ts";
import {
  follow,
  refuseSelf,
  unfollow,
  beginRelation,
  endRelation,
  putRelationship,
  removeRelationship,
} from "./relationships.ts";

/** Ledger entry for endpoints that the live service has removed, and that the sandbox still serves. */
const FORMER = assumed(
  "The live service removed the endpoint from v2 in 2024; kept for older clients.",
);

const target = z.strictObject({
  target_user_id: idInput,
});

const writing = (scope: OAuthScope) =>
  ({
    ledger: DESCRIBED,
    auth: ["oauth1", "oauth2"],
    level: "read-write",
    scopes: ["tweet.read", "users.read", scope],
    limits: { user: 50 },
  }) as const;

const messaging = {
  ...writing("dm.write"),
  level: "read-write-directmessages",
} as const;

export const relationshipRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/2/users/:id/following",
    ...writing("follows.write"),
    handle: (call) => {
      const { from, to } = pairInBody(call);
      const { isPending } = follow(call.sandbox, from, to);
      return { body: { data: { following: !isPending, pending_follow: isPending } } };
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
  ...relationRoutePair("mute", "muting", "mute.write", DESCRIBED),
  ...relationRoutePair("block", "blocking", "block.write", FORMER),
  {
    method: "POST",
    path: "/2/users/:id/dm/block",
    ...messaging,
    handle: (call) => {
      const { user, other } = messagePair(call);
      putRelationship(call.sandbox, "dm_block", user.id, other.id);
      return { body: { data: { blocked: true } } };
    },
  },
  {
    method: "POST",
    path: "/2/users/:id/dm/unblock",
    ...messaging,
    handle: (call) => {
      const { user, other } = messagePair(call);
      removeRelationship(call.sandbox, "dm_block", user.id, other.id);
      return { body: { data: { blocked: false } } };
    },
  },
];

/** Creates the two routes that begin and end muting or blocking another user. */
function relationRoutePair(
  kind: UserRelation,
  word: "muting" | "blocking",
  scope: OAuthScope,
  ledger: Fidelity,
): Route[] {
  return [
    {
      method: "POST",
      path: `/2/users/:id/${word}`,
      ...writing(scope),
      ledger,
      handle: (call) => {
        const { from, to } = pairInBody(call);
        refuseSelf(from, to, kind);
        beginRelation(call.sandbox, kind, from, to);
        return { body: { data: { [word]: true } } };
      },
    },
    {
      method: "DELETE",
      path: `/2/users/:id/${word}/:target_user_id`,
      ...writing(scope),
      ledger,
      handle: (call) => {
        const { from, to } = pairInPath(call);
        endRelation(call.sandbox, kind, from, to);
        return { body: { data: { [word]: false } } };
      },
    },
  ];
}

function pairInBody(call: RouteCall): { from: UserRow; to: UserRow } {
  const from = requireSelf(call);
  const { target_user_id: id } = jsonInput(call, target);
  return { from, to: findVisibleUser(call, id, "target_user_id") };
}

function pairInPath(call: RouteCall): { from: UserRow; to: UserRow } {
  const from = requireSelf(call);
  return { from, to: findVisibleUser(call, call.params["target_user_id"] ?? "", "target_user_id") };
}

/** Returns the caller and the user whom the path names. Refuses callers who name themselves. */
function messagePair(call: RouteCall): { user: UserRow; other: UserRow } {
  const other = findVisibleUser(call, call.params["id"] ?? "", "id");
  const user = userOf(call.caller);
  refuseSelf(user, other, "block");
  return { user, other };
}
