import type { UserRow } from "../model/accounts.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { fitsPlace, isReady, type MediaRow, media } from "../model/media.ts";

/** Parameter with the ids of media, for a new post and for a new message. */
const PARAMETERS = { post: "media.media_ids", message: "attachments.media_id" } as const;

/**
 * Returns the media that `user` attaches to a post or a message, in the order of `mediaIds`.
 *
 * @throws {ApiError} 400 if a medium is unknown, belongs to another user, has expired, is not processed, or has a
 * category for the other kind of object.
 */
export function requireAttachable(
  { world, time }: Sandbox,
  user: UserRow,
  mediaIds: readonly string[],
  place: keyof typeof PARAMETERS,
): MediaRow[] {
  const now = time.now();
  return mediaIds.map((id) => {
    const mediaRow = media.in(world).get(id);
    if (
      mediaRow !== undefined &&
      (mediaRow.ownerId === user.id || mediaRow.additionalOwners.includes(user.id)) &&
      mediaRow.expiresAt > now &&
      fitsPlace(mediaRow, place) &&
      isReady(mediaRow, now)
    ) {
      return mediaRow;
    }
    throw ApiError.parameter(PARAMETERS[place], id, "Your media IDs are invalid.");
  });
}
