import * as z from "zod";
import { idInput } from "../../kernel/http/id-input.ts";
import { POLL_LIMITS, REPLY_SETTINGS } from "../../../protocol/post-options.ts";

const settings = z.enum(REPLY_SETTINGS);

const media = z.strictObject({
  media_ids: z.array(idInput).min(1).max(4),
  tagged_user_ids: z.array(idInput).max(10).optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  embeddable: z.boolean().optional(),
  preview_media_id: idInput.optional(),
  call_to_actions: z
    .strictObject({
      app_install: z
        .strictObject({
          app_store_id: z.string(),
          ipad_app_store_id: z.string(),
          play_store_id: z.string(),
        })
        .partial(),
      visit_site: z.strictObject({ url: z.string() }),
      watch_now: z.strictObject({ url: z.string() }),
    })
    .partial()
    .optional(),
});

const { options, label, minutes } = POLL_LIMITS;
const poll = z.strictObject({
  options: z.array(z.string().min(label.min).max(label.max)).min(options.min).max(options.max),
  duration_minutes: z.int().min(minutes.min).max(minutes.max),
  reply_settings: settings.optional(),
});

/**
 * Schema of the body of a new post, in the post dialect; unknown keys are refused. Source: the live service's API
 * description, version 2.167.
 */
export const postInput = z
  .strictObject({
    text: z.string(),
    reply: z.strictObject({
      in_reply_to_post_id: idInput,
      exclude_reply_user_ids: z.array(idInput).optional(),
      auto_populate_reply_metadata: z.boolean().optional(),
    }),
    quote_post_id: idInput,
    media,
    poll,
    reply_settings: settings,
    geo: z.strictObject({ place_id: z.string() }),
    edit_options: z.strictObject({ previous_post_id: idInput }),
    for_super_followers_only: z.boolean(),
    direct_message_deep_link: z.string(),
    nullcast: z.boolean(),
    community_id: idInput,
    share_with_followers: z.boolean(),
    card_uri: z.string(),
    made_with_ai: z.boolean(),
    paid_partnership: z.boolean(),
  })
  .partial();

export type PostInput = z.infer<typeof postInput>;

/** Schema of the body of a like or a repost. */
export const onPostInput = z.strictObject({ post_id: idInput });

/** Schema of the body that hides a reply or shows it again. */
export const hiddenInput = z.strictObject({ hidden: z.boolean() });
