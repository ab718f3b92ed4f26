import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { likes, type PostRow, posts } from "./posts.ts";
import { versionsOf } from "./post-versions.ts";

/** Counts of a post, over all its versions. */
export interface PostCounts {
  readonly reposts: number;
  readonly replies: number;
  readonly likes: number;
  readonly quotes: number;
}

export function metricsOf(world: SandboxWorld, post: PostRow): PostCounts {
  if (post.repostOf !== undefined) {
    const reposts = posts.in(world).count("repostOf", post.repostOf);
    return { reposts, replies: 0, likes: 0, quotes: 0 };
  }
  const sum = (index: "repostOf" | "replyTo" | "quoteOf"): number =>
    ids.reduce((total, id) => total + posts.in(world).count(index, id), 0);
  const ids = versionsOf(world, post).map(({ id }) => id);
  return {
    reposts: sum("repostOf"),
    replies: sum("replyTo"),
    likes: ids.reduce((total, id) => total + likes.in(world).count("post", id), 0),
    quotes: sum("quoteOf"),
  };
}
