import { type User, users } from "../accounts/entities.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { attachable } from "../media/attach.ts";
import { places } from "../places/entities.ts";
import { createPoll } from "../polls/rules.ts";
import type { PostInput } from "./input.ts";
import { unknownValue } from "./unknown.ts";
import type { Draft } from "./write.ts";

/** What a post carries besides its text. @throws {Refusal} 400 where it names what there is not. */
export function attachedTo(sandbox: Sandbox, author: User, input: PostInput): Partial<Draft> {
  const { world } = sandbox;
  const mediaIds = input.media?.media_ids ?? [];
  attachable(sandbox, author, mediaIds, "post");
  const tagged = input.media?.tagged_user_ids ?? [];
  const stranger = tagged.find((id) => users.in(world).get(id) === undefined);
  if (stranger !== undefined) throw unknownValue("media.tagged_user_ids", stranger);
  const placeId = input.geo?.place_id;
  if (placeId !== undefined && places.in(world).get(placeId) === undefined) {
    throw unknownValue("geo.place_id", placeId);
  }
  const { poll } = input;
  const settings = input.reply_settings ?? poll?.reply_settings;
  const extra = extraOf(input);
  return {
    ...(mediaIds.length === 0 ? {} : { mediaIds }),
    ...(poll === undefined
      ? {}
      : { pollId: createPoll(sandbox, poll.options, poll.duration_minutes).id }),
    ...(placeId === undefined ? {} : { placeId }),
    ...(settings === undefined ? {} : { replySettings: settings }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** Fields that the post object shows as they were sent. */
function extraOf(input: PostInput): Record<string, unknown> {
  return {
    ...(input.paid_partnership === undefined ? {} : { paid_partnership: input.paid_partnership }),
    ...(input.community_id === undefined ? {} : { community_id: input.community_id }),
    ...(input.card_uri === undefined ? {} : { card_uri: input.card_uri }),
    ...(input.nullcast === true ? { nullcast: true } : {}),
    ...(input.for_super_followers_only === true ? { scopes: { followers: true } } : {}),
  };
}
