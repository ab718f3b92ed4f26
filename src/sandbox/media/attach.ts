import type { User } from "../accounts/entities.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type Media, media } from "./entities.ts";
import { CATEGORIES } from "./kinds.ts";
import { isReady } from "./processing.ts";

/** What media are attached to, and the parameter that names them there. */
const PLACES = { post: "media.media_ids", message: "attachments.media_id" } as const;

/**
 * The media that `user` attaches to a post or a message, in the order given.
 *
 * @throws {Refusal} 400 where one is unknown, of somebody else, expired, still processed, failed or
 *   meant for the other place.
 */
export function attachable(
  { world, time }: Sandbox,
  user: User,
  mediaIds: readonly string[],
  place: keyof typeof PLACES,
): Media[] {
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
    throw Refusal.parameter(PLACES[place], id, "Your media IDs are invalid.");
  });
}
