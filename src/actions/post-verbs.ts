import * as z from "zod";
import type { OAuthScope } from "../protocol/access.ts";
import { type ActionEcho, type ActionKind, platformId } from "./action-kind.ts";

/** Likes a post; idempotent. */
export type LikePost = PostVerb<"like">;

/** Reposts a post; idempotent. */
export type Repost = PostVerb<"repost">;

export interface PostVerb<Verb extends string> {
  readonly type: Verb;
  readonly postId: string;
  /** User id of the post's author; determines the lane. */
  readonly to: string;
}

/** Verbs that spread or approve a post. All are idempotent. */
export const POST_VERBS = {
  repost: postVerb("repost", "tweet.write", {
    triggers: ["post.created", "post.reposted"],
    recognise: (event, { postId }, { account }) =>
      event.kind === "post" &&
      event.post.author.id === account &&
      event.post.reposted?.id === postId
        ? { platformId: event.post.id, at: event.at }
        : undefined,
  }),
  like: postVerb("like", "like.write", {
    triggers: ["post.liked"],
    recognise: (event, { postId }, { account }) =>
      event.kind === "like" && event.sender.id === account && event.post.id === postId
        ? { at: event.at }
        : undefined,
  }),
};

function postVerb<const Verb extends string>(
  type: Verb,
  scope: OAuthScope,
  echo: ActionEcho<PostVerb<Verb>>,
): ActionKind<PostVerb<Verb>> {
  return {
    schema: z
      .strictObject({ type: z.literal<Verb>(type), postId: platformId, to: platformId })
      .readonly(),
    needs: { access: "read-write", scopes: [scope, "tweet.read", "users.read"] },
    repeatable: true,
    noticed: true,
    echo,
    describe: ({ postId }) => `${type} of post ${postId}`,
  };
}
