import { unseenAuthor } from "../accounts/visible.ts";
import type { Unseen } from "../fields/problems.ts";
import type { World } from "../kernel/world.ts";
import { type Post, posts } from "./entities.ts";

/** Why `viewer` does not get to see a post. A repost goes with the post it repeats. */
export function unseenPost(
  world: World,
  viewer: string | undefined,
  post: Post | undefined,
): Unseen | undefined {
  if (post === undefined || post.deletedAt !== undefined) return "missing";
  const author = unseenAuthor(world, viewer, post.authorId);
  if (author !== undefined || post.repostOf === undefined) return author;
  return unseenPost(world, viewer, posts.in(world).get(post.repostOf));
}
