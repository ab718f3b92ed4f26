import * as z from "zod";
import type { OAuthScope } from "../protocol/access.ts";
import { type ResultKind, stateResult, withId } from "./action-result.ts";
import { type ActionEcho, type ActionKind, platformId } from "./action-kind.ts";

/** Likes a post; idempotent. */
export type LikePost = PostVerb<"like">;

export interface PostVerb<Verb extends string> {
  readonly type: Verb;
  readonly postId: string;
  /** User id of the post's author, or of the person who caused the event; determines the lane (ordering key). */
  readonly to: string;
}

/** Verbs that act on a post and have no text. All are idempotent. */
export const POST_VERBS = {
  repost: postVerb("repost", "tweet.write", {
    noticed: true,
    describe: "repost of post",
    result: {
      fields: { reposted: "boolean", repost_id: "text" },
      of: (_action, { platformId: id }) => ({ reposted: true, ...withId("repost_id", id) }),
    },
    echo: {
      triggers: ["post.created", "post.reposted"],
      recognise: (event, { postId }, { account }) =>
        event.kind === "post" &&
        event.post.author.id === account &&
        event.post.reposted?.id === postId
          ? { platformId: event.post.id, at: event.at }
          : undefined,
    },
  }),
  undo_repost: postVerb("undo_repost", "tweet.write", {
    describe: "end of the repost of post",
    result: stateResult("reposted", false),
    // the event has the id of the deleted repost; the action has only the id of the reposted post
    echo: { triggers: ["post.deleted"], recognise: () => undefined },
  }),
  like: postVerb("like", "like.write", {
    noticed: true,
    describe: "like of post",
    result: stateResult("liked", true),
    echo: {
      triggers: ["post.liked"],
      recognise: (event, { postId }, { account }) =>
        event.kind === "like" && event.sender.id === account && event.post.id === postId
          ? { at: event.at }
          : undefined,
    },
  }),
  unlike: postVerb("unlike", "like.write", {
    describe: "end of the like of post",
    result: stateResult("liked", false),
  }),
  hide_reply: postVerb("hide_reply", "tweet.moderate.write", {
    describe: "hiding of reply",
    result: stateResult("hidden", true),
  }),
  unhide_reply: postVerb("unhide_reply", "tweet.moderate.write", {
    describe: "showing again of reply",
    result: stateResult("hidden", false),
  }),
  delete_post: postVerb("delete_post", "tweet.write", {
    describe: "deletion of post",
    result: stateResult("deleted", true),
    echo: {
      triggers: ["post.deleted"],
      recognise: (event, { postId }, { account }) =>
        event.kind === "post_deleted" && event.sender.id === account && event.postId === postId
          ? { at: event.at }
          : undefined,
    },
  }),
};

/** Verb that acts on a post and has no text. */
export type OnPostVerb = keyof typeof POST_VERBS;

interface PostVerbFacts<Verb extends string> {
  /** Beginning of the action's description, before the post's id: `like of post`. */
  readonly describe: string;
  /** Echo of the action; absent if the platform reports none. */
  readonly echo?: ActionEcho<PostVerb<Verb>>;
  readonly noticed?: boolean;
  readonly result: ResultKind<PostVerb<Verb>>;
}

function postVerb<const Verb extends string>(
  type: Verb,
  scope: OAuthScope,
  {
    describe,
    noticed = false,
    result,
    echo = { triggers: [], recognise: () => undefined },
  }: PostVerbFacts<Verb>,
): ActionKind<PostVerb<Verb>> {
  return {
    schema: z
      .strictObject({ type: z.literal<Verb>(type), postId: platformId, to: platformId })
      .readonly(),
    needs: { access: "read-write", scopes: [scope, "tweet.read", "users.read"] },
    repeatable: true,
    noticed,
    echo,
    result,
    describe: ({ postId }) => `${describe} ${postId}`,
  };
}
