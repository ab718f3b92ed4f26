import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import type { ListRow } from "./lists.ts";
import { isRelated, type UserRow, users } from "./accounts.ts";
import { type PostRow, posts } from "./posts.ts";

/** Reason why an object is hidden from a viewer. */
export type HiddenReason = "missing" | "suspended" | "protected" | "blocked";

/** World, and the user whose view of it is asked for: the user decides which objects are hidden. */
export interface Viewpoint {
  readonly world: SandboxWorld;
  /** Id of the user on whose behalf the request is made. An app without a user sees only what everyone sees. */
  readonly viewer: string | undefined;
}

/** Returns why a user is hidden from everyone; `undefined` for a visible user. */
export function hiddenUserReason(user: UserRow | undefined): HiddenReason | undefined {
  if (user === undefined) return "missing";
  return user.profile["suspended"] === true ? "suspended" : undefined;
}

/** Returns why a user's posts are hidden from `viewer`. An app without a user sees only what everyone sees. */
export function hiddenAuthorReason(
  world: SandboxWorld,
  viewer: string | undefined,
  authorId: string,
): HiddenReason | undefined {
  const reason = hiddenUserReason(users.in(world).get(authorId));
  if (reason !== undefined || viewer === authorId) return reason;
  if (viewer !== undefined && isRelated(world, "block", authorId, viewer)) return "blocked";
  return isProtectedFrom(world, viewer, authorId) ? "protected" : undefined;
}

/** Returns whether a user's posts are protected, and `viewer` is neither the user nor a follower. */
function isProtectedFrom(
  world: SandboxWorld,
  viewer: string | undefined,
  authorId: string,
): boolean {
  if (users.in(world).get(authorId)?.profile["protected"] !== true) return false;
  if (viewer === undefined) return true;
  return viewer !== authorId && !isRelated(world, "follow", viewer, authorId);
}

/** Returns why a post is hidden from `viewer`. A repost is hidden with its original. */
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

/**
 * Returns whether a user is notified of a post: of their own posts always, of the posts of others unless the user has
 * muted the author or may not see the author's protected posts.
 */
export function isNotified(world: SandboxWorld, userId: string, post: PostRow): boolean {
  if (userId === post.authorId) return true;
  if (isRelated(world, "mute", userId, post.authorId)) return false;
  return !isProtectedFrom(world, userId, post.authorId);
}

/** Returns whether the viewer sees a list. An app without a user sees public lists only. */
export function isListVisible({ world, viewer }: Viewpoint, list: ListRow | undefined): boolean {
  if (list === undefined || (list.private && list.ownerId !== viewer)) return false;
  return hiddenUserReason(users.in(world).get(list.ownerId)) === undefined;
}
