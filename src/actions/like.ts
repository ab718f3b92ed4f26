import * as z from "zod";
import { type ActionKind, platformId } from "./action-kind.ts";

const schema = z
  .strictObject({
    type: z.literal("like"),
    postId: platformId,
    /** User id of the post's author: decides the lane. */
    to: platformId,
  })
  .readonly();

/** A like of a post; liking again changes nothing. */
export type LikePost = z.infer<typeof schema>;

export const like: ActionKind<LikePost> = {
  schema,
  needs: { access: "read-write", scopes: ["like.write", "tweet.read", "users.read"] },
  repeatable: true,
  noticed: true,
  echo: {
    triggers: ["post.liked"],
    recognise: (event, { postId }, { account }) =>
      event.kind === "like" && event.sender.id === account && event.post.id === postId
        ? { at: event.at }
        : undefined,
  },
  describe: ({ postId }) => `like of post ${postId}`,
};
