import { UsageError } from "../../errors.ts";
import type { ReplyGroup } from "../../protocol/post-options.ts";

/** A post to publish. Needs a text, media or a poll. */
export interface NewPost {
  readonly text?: string | undefined;
  /** Id of the post to reply to. */
  readonly replyTo?: string | undefined;
  /** Ids of users whom the platform would mention automatically in a reply and should not. */
  readonly excludeReplyUserIds?: readonly string[] | undefined;
  /** Id of the post to quote. A quote needs a text. Source: the platform's API description, `text` of a new post. */
  readonly quotePostId?: string | undefined;
  /** Ids from the media upload, one to four. */
  readonly mediaIds?: readonly string[] | undefined;
  /** Users to tag in the media. */
  readonly taggedUserIds?: readonly string[] | undefined;
  readonly poll?:
    | {
        /** Two to four labels of 1 to 25 characters. */
        readonly options: readonly string[];
        /** Duration of the poll in minutes, from 5 to 10080. */
        readonly durationMinutes: number;
      }
    | undefined;
  /** Group of users who may reply; default everyone. */
  readonly replySettings?: ReplyGroup | undefined;
  readonly placeId?: string | undefined;
  readonly communityId?: string | undefined;
  /** Id of the post that this post replaces as its edited version. */
  readonly editOf?: string | undefined;
  readonly madeWithAi?: boolean | undefined;
  readonly paidPartnership?: boolean | undefined;
}

/**
 * Returns the request body of a post. Its id fields keep the older spelling in both dialects, as in
 * the live service.
 *
 * @throws UsageError if the post has no text that is more than white space, and neither media nor a poll.
 */
export function postBody(post: NewPost): object {
  const { text, mediaIds, poll, quotePostId, replyTo, excludeReplyUserIds, taggedUserIds } = post;
  const isBlank = text === undefined || text.trim() === "";
  if (isBlank && mediaIds === undefined && poll === undefined) {
    throw new UsageError("a post has neither text, media nor a poll", {
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
