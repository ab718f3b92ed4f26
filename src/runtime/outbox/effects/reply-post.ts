import type { ReplyPost } from "../../../actions/reply-post.ts";
import { isSameReply } from "../../../actions/same-text.ts";
import { type Candidate, DAY_MS, type Effect, QUARTER_HOUR_MS } from "./effect.ts";

export const replyPost: Effect<ReplyPost> = {
  endpoint: "POST /2/posts",
  budget: [
    { limit: 100, windowMs: QUARTER_HOUR_MS, per: "account" },
    { limit: 10_000, windowMs: DAY_MS, per: "app" },
  ],
  reads: {
    endpoint: "GET /2/users/:id/posts",
    budget: [{ limit: 900, windowMs: QUARTER_HOUR_MS, per: "account" }],
  },
  async perform(client, _account, { inReplyTo, text }, options) {
    return (await client.posts.reply(inReplyTo, text, options)).id;
  },
  async find(client, account, { inReplyTo, text }, { since, until }, options) {
    const found: Candidate[] = [];
    const posts = client.timelines.posts(
      account,
      {
        postFields: ["created_at", "referenced_posts", "note_post"],
        startTime: wholeSecond(since),
        maxResults: 100,
      },
      options,
    );
    for await (const post of posts) {
      const at = Date.parse(post.created_at);
      const answers = post.referenced_posts?.some(
        ({ type, id }) => type === "replied_to" && id === inReplyTo,
      );
      if (answers !== true || at < since || at > until) continue;
      if (isSameReply(text, post.note_post?.text ?? post.text)) {
        found.push({ platformId: post.id, at });
      }
    }
    return found.toReversed();
  },
};

/** The platform takes whole seconds only. */
function wholeSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
