import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { type PostRow, posts } from "./posts.ts";

/** How long a post may be edited. Source: `edit_controls` of recorded posts. */
export const EDITABLE_MS = 60 * 60_000;

/** How often a post may be edited. */
export const MAX_EDITS = 5;

/** Every version of a post, the first first. */
export function versionsOf(world: SandboxWorld, post: PostRow): PostRow[] {
  const first = posts.in(world).get(post.editOf ?? post.id) ?? post;
  return [first, ...posts.in(world).where("versions", first.id)];
}

/** Whether a post is of a kind that can be edited at all. */
export function isEditable(post: PostRow): boolean {
  return post.replyTo === undefined && post.repostOf === undefined && post.pollId === undefined;
}

/** `edit_controls` of a post, as the data interface shows them. */
interface EditControls {
  readonly edits_remaining: number;
  readonly is_edit_eligible: boolean;
  /** ISO 8601. */
  readonly editable_until: string;
}

/** Returns how long and how often a post may still be edited. */
export function editControls(world: SandboxWorld, post: PostRow): EditControls {
  const versions = versionsOf(world, post);
  const first = versions[0] ?? post;
  return {
    edits_remaining: Math.max(0, MAX_EDITS - (versions.length - 1)),
    is_edit_eligible: isEditable(post),
    editable_until: new Date(first.at + EDITABLE_MS).toISOString(),
  };
}
