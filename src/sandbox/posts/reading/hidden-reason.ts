import { hiddenAuthorReason } from "../../accounts/hidden-reason.ts";
import type { HiddenReason } from "../../data-query/partial-errors.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import { type PostRow, posts } from "../entities.ts";

/** Why a post is hidden from `viewer`. A repost is hidden with its original. */
export function hiddenPostReason(
  world: SandboxWorld,
  viewer: string | undefined,
  post: PostRow | undefined,
): HiddenReason | undefined {
  if (post === undefined || post.deletedAt !== undefined) return "missing";
  const author = hiddenAuthorReason(world, viewer, post.authorId);
  if (author !== undefined || post.repostOf === undefined) return author;
  return hiddenPostReason(world, viewer, posts.in(world).get(post.repostOf));
}
