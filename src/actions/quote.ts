import * as z from "zod";
import { postResult } from "./action-result.ts";
import { type ActionKind, platformId, sentText } from "./action-kind.ts";
import { publicKeys } from "./public-keys.ts";
import { isSameText } from "./same-text.ts";

const schema = z
  .strictObject({
    type: z.literal("quote"),
    /** Id of the post that is quoted. */
    postId: platformId,
    /** User id of the quoted post's author; determines the lane (ordering key). */
    to: platformId,
    /** Text of at least one character. */
    text: sentText,
    ...publicKeys,
  })
  .readonly();

/** A post of the account that quotes a post. */
export type QuotePost = z.infer<typeof schema>;

export const quote: ActionKind<QuotePost> = {
  schema,
  needs: { access: "read-write", scopes: ["tweet.write", "tweet.read", "users.read"] },
  repeatable: false,
  noticed: true,
  echo: {
    triggers: ["post.created", "post.quoted", "post.mentioned"],
    recognise(event, { postId, text }, { account }) {
      if (event.kind !== "post" || event.post.author.id !== account) return undefined;
      const { post } = event;
      const quotedId = post.quoted?.id ?? post.quotedPostId;
      if (quotedId !== postId || !isSameQuote(text, post.text)) return undefined;
      return { platformId: post.id, at: event.at };
    },
  },
  result: postResult,
  describe: ({ postId, text }) => `quote of post ${postId}: ${text}`,
};

/**
 * Whether `shown` can be the platform's version of a quote with the text `written`. The platform may append a link to
 * the quoted post.
 */
export function isSameQuote(written: string, shown: string): boolean {
  return (
    isSameText(written, shown) ||
    isSameText(written, shown.replace(/(?<!\s)\s+https?:\/\/\S+$/, ""))
  );
}
