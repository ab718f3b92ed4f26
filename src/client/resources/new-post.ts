import { UsageError } from "../../errors.ts";

/** A post to publish: text, media, a poll or a quote, at least one of them. */
export interface NewPost {
  readonly text?: string | undefined;
  /** Id of the post that this one answers. */
  readonly replyTo?: string | undefined;
  /** Users that the platform would mention in a reply, and must not. */
  readonly excludeReplyUserIds?: readonly string[] | undefined;
  readonly quotePostId?: string | undefined;
  /** One to four ids from the media upload. */
  readonly mediaIds?: readonly string[] | undefined;
  /** Users to tag in the media. */
  readonly taggedUserIds?: readonly string[] | undefined;
  readonly poll?:
    | {
        /** Two to four labels of 1 to 25 characters. */
        readonly options: readonly string[];
        /** From 5 to 10080. */
        readonly durationMinutes: number;
      }
    | undefined;
  /** Who may reply; everyone when left out. */
  readonly replySettings?: "following" | "mentionedUsers" | "subscribers" | "verified" | undefined;
  readonly placeId?: string | undefined;
  readonly communityId?: string | undefined;
  /** Id of the post that this one edits. */
  readonly editOf?: string | undefined;
  readonly madeWithAi?: boolean | undefined;
  readonly paidPartnership?: boolean | undefined;
}

/**
 * The body that publishes a post. Identifiers inside it keep the older spelling in both dialects, as
 * the live service does.
 *
 * @throws UsageError for a post with nothing in it.
 */
export function postBody(post: NewPost): object {
  const { text, mediaIds, poll, quotePostId, replyTo, excludeReplyUserIds, taggedUserIds } = post;
  if (
    text === undefined &&
    mediaIds === undefined &&
    poll === undefined &&
    quotePostId === undefined
  ) {
    throw new UsageError("a post has neither text, media, a poll nor a quote", {
      hint: 'give it a text: { text: "…" }',
    });
  }
  const reply = { in_reply_to_tweet_id: replyTo, exclude_reply_user_ids: excludeReplyUserIds };
  return {
    text,
    reply: replyTo === undefined ? undefined : reply,
    quote_tweet_id: quotePostId,
    media: mediaIds && { media_ids: mediaIds, tagged_user_ids: taggedUserIds },
    poll: poll && { options: poll.options, duration_minutes: poll.durationMinutes },
    reply_settings: post.replySettings,
    geo: post.placeId === undefined ? undefined : { place_id: post.placeId },
    community_id: post.communityId,
    edit_options: post.editOf === undefined ? undefined : { previous_post_id: post.editOf },
    made_with_ai: post.madeWithAi,
    paid_partnership: post.paidPartnership,
  };
}
