import type { World } from "../kernel/world.ts";
import { type Post, posts } from "./entities.ts";

/** How long a post may be edited. Source: `edit_controls` of recorded posts. */
export const EDITABLE_MS = 60 * 60_000;

/** How often a post may be edited. */
export const MOST_EDITS = 5;

/** Every version of a post, the first first. */
export function versionsOf(world: World, post: Post): Post[] {
  const first = posts.in(world).get(post.editOf ?? post.id) ?? post;
  return [first, ...posts.in(world).where("versions", first.id)];
}

/** Whether a post is of a kind that can be edited at all. */
export function isEditable(post: Post): boolean {
  return post.replyTo === undefined && post.repostOf === undefined && post.pollId === undefined;
}

/** `edit_controls` of a post. */
export function editControls(world: World, post: Post): Record<string, unknown> {
  const versions = versionsOf(world, post);
  const first = versions[0] ?? post;
  return {
    edits_remaining: Math.max(0, MOST_EDITS - (versions.length - 1)),
    is_edit_eligible: isEditable(post),
    editable_until: new Date(first.at + EDITABLE_MS).toISOString(),
  };
}
