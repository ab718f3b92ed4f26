import * as z from "zod";
import { type ActionKind, platformId } from "./action-kind.ts";

const schema = z
  .strictObject({
    type: z.literal("repost"),
    postId: platformId,
    /** User id of the post's author: decides the lane. */
    to: platformId,
  })
  .readonly();

/** A repost of a post; reposting again changes nothing. */
export type Repost = z.infer<typeof schema>;

export const repost: ActionKind<Repost> = {
  schema,
  needs: { access: "read-write", scopes: ["tweet.write", "tweet.read", "users.read"] },
  repeatable: true,
  noticed: true,
  echo: {
    triggers: ["post.created", "post.reposted"],
    recognise: (event, { postId }, { account }) =>
      event.kind === "post" &&
      event.post.author.id === account &&
      event.post.reposted?.id === postId
        ? { platformId: event.post.id, at: event.at }
        : undefined,
  },
  describe: ({ postId }) => `repost of post ${postId}`,
};
