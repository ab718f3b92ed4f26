import type { HiddenReason } from "../data-query/partial-errors.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { isRelated, type UserRow, users } from "./entities.ts";

/** Why a user is hidden from everybody, if they are. */
export function hiddenUserReason(user: UserRow | undefined): HiddenReason | undefined {
  if (user === undefined) return "missing";
  return user.profile["suspended"] === true ? "suspended" : undefined;
}

/** Why a user's posts are hidden from `viewer`. An app alone sees what everybody sees. */
export function hiddenAuthorReason(
  world: SandboxWorld,
  viewer: string | undefined,
  authorId: string,
): HiddenReason | undefined {
  const author = users.in(world).get(authorId);
  const reason = hiddenUserReason(author);
  if (reason !== undefined || viewer === authorId) return reason;
  if (viewer !== undefined && isRelated(world, "block", authorId, viewer)) return "blocked";
  if (author?.profile["protected"] !== true) return undefined;
  return viewer !== undefined && isRelated(world, "follow", viewer, authorId)
    ? undefined
    : "protected";
}
