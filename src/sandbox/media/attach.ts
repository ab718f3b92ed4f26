import type { UserRow } from "../model/accounts.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type MediaRow, media, CATEGORIES, isReady } from "../model/media.ts";

/** The parameter that names media, by what they are attached to. */
const PARAMETERS = { post: "media.media_ids", message: "attachments.media_id" } as const;

/**
 * The media that `user` attaches to a post or a message, in the order given.
 *
 * @throws {ApiError} 400 where one is unknown, of somebody else, expired, still processed, failed or
 *   meant for the other kind.
 */
export function requireAttachable(
  { world, time }: Sandbox,
  user: UserRow,
  mediaIds: readonly string[],
  place: keyof typeof PARAMETERS,
): MediaRow[] {
  const now = time.now();
  return mediaIds.map((id) => {
    const found = media.in(world).get(id);
    if (
      found !== undefined &&
      (found.ownerId === user.id || found.additionalOwners.includes(user.id)) &&
      found.expiresAt > now &&
      CATEGORIES[found.category].place === place &&
      isReady(found, now)
    ) {
      return found;
    }
    throw ApiError.parameter(PARAMETERS[place], id, "Your media IDs are invalid.");
  });
}
