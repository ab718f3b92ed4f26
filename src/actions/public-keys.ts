import * as z from "zod";
import { POLL_LIMITS, REPLY_SETTINGS } from "../protocol/post-options.ts";
import { LONG_POSTS, THIRD_PARTIES } from "../protocol/public-text/posting.ts";

/** Keys of all actions that publish a post with a text. */
export const publicKeys = {
  /** Way to publish a text that is too long for one post; default: the setting `posts.long`. */
  long: z.enum(LONG_POSTS).exactOptional(),
  /** Other people's mentions (`@handle`) and links that expressions have inserted into the text. */
  brought: z.array(z.string()).readonly().exactOptional(),
  /** Treatment of other people's mentions and links; default: the setting `posts.third_parties`. */
  thirdParties: z.enum(THIRD_PARTIES).exactOptional(),
  /** Group of users who can reply to the post; default: all users. */
  replySettings: z.enum(REPLY_SETTINGS).exactOptional(),
};

const { options, label, minutes } = POLL_LIMITS;

/** Key of an action that publishes a poll. A post with a poll has neither media nor a quote. */
export const pollKey = {
  poll: z
    .strictObject({
      /** Labels of the options. */
      options: z
        .array(z.string().min(label.min).max(label.max))
        .min(options.min)
        .max(options.max)
        .readonly(),
      durationMinutes: z.int().min(minutes.min).max(minutes.max),
    })
    .readonly()
    .exactOptional(),
};

/** Key of an action that sends a further part of a long text: a post of a thread, or a message. */
export const threadKeys = {
  /** Key of the outbox item of the previous part. A post replies to the post of that item. */
  after: z.string().min(1).exactOptional(),
};

/** Returns ` (poll: Tea / Coffee)` for the end of an action's description; an empty text without a poll. */
export function pollNote({ poll }: { readonly poll?: z.infer<typeof pollKey.poll> }): string {
  return poll === undefined ? "" : ` (poll: ${poll.options.join(" / ")})`;
}
