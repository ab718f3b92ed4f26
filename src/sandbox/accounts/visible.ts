import type { Unseen } from "../fields/problems.ts";
import type { World } from "../kernel/world.ts";
import { tied, type User, users } from "./entities.ts";

/** Why nobody gets to see a user, where nobody does. */
export function unseenUser(user: User | undefined): Unseen | undefined {
  if (user === undefined) return "missing";
  return user.profile["suspended"] === true ? "suspended" : undefined;
}

/** Why `viewer` does not get to see what a user posts. An app alone sees what everybody sees. */
export function unseenAuthor(
  world: World,
  viewer: string | undefined,
  authorId: string,
): Unseen | undefined {
  const author = users.in(world).get(authorId);
  const gone = unseenUser(author);
  if (gone !== undefined || viewer === authorId) return gone;
  if (viewer !== undefined && tied(world, "block", authorId, viewer)) return "blocked";
  if (author?.profile["protected"] !== true) return undefined;
  return viewer !== undefined && tied(world, "follow", viewer, authorId) ? undefined : "protected";
}
