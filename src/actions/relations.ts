import * as z from "zod";
import type { Relation } from "../events/event.ts";
import type { Trigger } from "../events/triggers.ts";
import type { OAuthScope } from "../protocol/access.ts";
import { type ResultKind, stateResult } from "./action-result.ts";
import { type ActionKind, platformId } from "./action-kind.ts";

/** Verbs that begin or end a relation of the account with a person. All are idempotent. */
export const RELATION_ACTIONS = {
  follow: relationAction("follow", "user.followed", "follows.write", {
    noticed: true,
    result: {
      fields: { following: "boolean", pending_follow: "boolean" },
      of: () => ({ following: true, pending_follow: false }),
    },
  }),
  unfollow: relationAction("unfollow", "user.unfollowed", "follows.write", {
    result: stateResult("following", false),
  }),
  block: relationAction("block", "user.blocked", "block.write", {
    result: stateResult("blocking", true),
  }),
  unblock: relationAction("unblock", "user.unblocked", "block.write", {
    result: stateResult("blocking", false),
  }),
  mute: relationAction("mute", "user.muted", "mute.write", {
    result: stateResult("muting", true),
  }),
  unmute: relationAction("unmute", "user.unmuted", "mute.write", {
    result: stateResult("muting", false),
  }),
};

/** Follows a person; idempotent. */
export type FollowUser = RelationAction<"follow">;

export interface RelationAction<Verb extends Relation> {
  readonly type: Verb;
  /** User id of the person, such as the one to follow; determines the lane (ordering key). */
  readonly to: string;
}

function relationAction<const Verb extends Relation>(
  type: Verb,
  trigger: Trigger,
  scope: OAuthScope,
  {
    noticed = false,
    result,
  }: { readonly noticed?: boolean; readonly result: ResultKind<RelationAction<Verb>> },
): ActionKind<RelationAction<Verb>> {
  return {
    schema: z.strictObject({ type: z.literal<Verb>(type), to: platformId }).readonly(),
    needs: { access: "read-write", scopes: [scope, "tweet.read", "users.read"] },
    repeatable: true,
    noticed,
    echo: {
      triggers: [trigger],
      recognise: (event, { to }, { account }) =>
        event.kind === "relation" &&
        event.relation === type &&
        event.sender.id === account &&
        event.target.id === to
          ? { at: event.at }
          : undefined,
    },
    result,
    describe: (_action, to) => `${type} of ${to}`,
  };
}
