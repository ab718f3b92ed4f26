import { type UserRow, users } from "../../model/accounts.ts";
import type { Sandbox } from "../../kernel/sandbox.ts";
import { requireAttachable } from "../../media/attach.ts";
import { places } from "../../model/places.ts";
import { createPoll } from "../../polls/rules.ts";
import type { PostInput } from "./input.ts";
import { unknownValue } from "./references.ts";
import type { PostDraft } from "./write.ts";

/**
 * Reads the properties of a new post besides its text, and creates its poll.
 *
 * @throws {ApiError} 400 if a property names an unknown object.
 */
export function readAttachments(
  sandbox: Sandbox,
  author: UserRow,
  input: PostInput,
): Partial<PostDraft> {
  const { world } = sandbox;
  const mediaIds = input.media?.media_ids ?? [];
  requireAttachable(sandbox, author, mediaIds, "post");
  const tagged = input.media?.tagged_user_ids ?? [];
  const unknownUser = tagged.find((id) => users.in(world).get(id) === undefined);
  if (unknownUser !== undefined) throw unknownValue("media.tagged_user_ids", unknownUser);
  const placeId = input.geo?.place_id;
  if (placeId !== undefined && places.in(world).get(placeId) === undefined) {
    throw unknownValue("geo.place_id", placeId);
  }
  const { poll } = input;
  const settings = input.reply_settings ?? poll?.reply_settings;
  const extra = extraOf(input);
  return {
    ...(mediaIds.length === 0 ? {} : { mediaIds }),
    ...(tagged.length === 0 ? {} : { taggedIds: [...new Set(tagged)] }),
    ...(poll === undefined
      ? {}
      : { pollId: createPoll(sandbox, poll.options, poll.duration_minutes).id }),
    ...(placeId === undefined ? {} : { placeId }),
    ...(settings === undefined ? {} : { replySettings: settings }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** Returns the fields of the request that are stored unchanged and shown in the post object. */
function extraOf(input: PostInput): Record<string, unknown> {
  return {
    ...(input.paid_partnership === undefined ? {} : { paid_partnership: input.paid_partnership }),
    ...(input.community_id === undefined ? {} : { community_id: input.community_id }),
    ...(input.card_uri === undefined ? {} : { card_uri: input.card_uri }),
    ...(input.nullcast === true ? { nullcast: true } : {}),
    ...(input.for_super_followers_only === true ? { scopes: { followers: true } } : {}),
  };
}
