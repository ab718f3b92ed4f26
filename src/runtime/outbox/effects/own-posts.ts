import type { CallOptions, CreatedPost } from "../../../client/client.ts";
import {
  type AcceptedRequest,
  type ActingClient,
  type Candidate,
  type Effect,
  DAY_MS,
  QUARTER_HOUR_MS,
} from "./effect.ts";
import type { CreatePost } from "../../../actions/create-post.ts";
import { isSameWithMedia } from "../../../actions/media.ts";
import { attachedTo } from "./attached.ts";
import type { ReplyPost } from "../../../actions/reply-post.ts";
import { isSameReply } from "../../../actions/same-text.ts";
import { isSameQuote, type QuotePost } from "../../../actions/quote.ts";

/** Post of the account as its timeline shows it. */
export interface OwnPost {
  readonly text: string;
  /** Ids of the posts that this post answers, quotes or reposts. */
  readonly answers?: string;
  readonly quotes?: string;
  readonly reposts?: string;
}

/** Endpoint and rate limits of all verbs that publish a post: `create_post`, `reply_post`, `quote`. */
export const PUBLISHING = {
  endpoint: "POST /2/posts",
  budget: [
    { limit: 100, windowMs: QUARTER_HOUR_MS, per: "account" },
    { limit: 10_000, windowMs: DAY_MS, per: "app" },
  ],
} as const satisfies Pick<Effect<never>, "endpoint" | "budget">;

/** Endpoint and rate limit for reading the account's own posts. */
export const READS_OWN_POSTS = {
  endpoint: "GET /2/users/:id/posts",
  budget: [{ limit: 900, windowMs: QUARTER_HOUR_MS, per: "account" }],
} as const satisfies Effect<never>["reads"];

/** Returns the account's posts with a date from `since` on for which `fits` returns true, oldest first. */
export async function findOwnPosts(
  client: ActingClient,
  account: string,
  since: number,
  options: CallOptions | undefined,
  fits: (post: OwnPost) => boolean,
): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = [];
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
    if (Date.parse(post.created_at) < since) continue;
    const shown: { text: string; answers?: string; quotes?: string; reposts?: string } = {
      text: post.note_post?.text ?? post.text,
    };
    for (const { type, id } of post.referenced_posts ?? []) {
      if (type === "replied_to") shown.answers = id;
      else if (type === "quoted") shown.quotes = id;
      else shown.reposts = id;
    }
    if (fits(shown)) candidates.push({ platformId: post.id });
  }
  return candidates.toReversed();
}

function published({ id }: CreatedPost): AcceptedRequest {
  return { platformId: id, result: { post_id: id } };
}

/** Formats a time in whole seconds: the platform accepts nothing finer. */
function wholeSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

export const quote: Effect<QuotePost> = {
  ...PUBLISHING,
  reads: READS_OWN_POSTS,
  async perform(client, _account, { postId, text, replySettings }, options) {
    const post = { text, quotePostId: postId, replySettings };
    return published(await client.posts.create(post, options));
  },
  find: (client, account, { postId, text }, since, options) =>
    findOwnPosts(
      client,
      account,
      since,
      options,
      (post) => post.quotes === postId && isSameQuote(text, post.text),
    ),
};

export const replyPost: Effect<ReplyPost> = {
  ...PUBLISHING,
  reads: READS_OWN_POSTS,
  async perform(client, _account, { inReplyTo, text, media, poll, replySettings }, options) {
    const attached = await attachedTo(client, media, options);
    const post = { text, poll, replySettings, ...attached };
    return published(await client.posts.reply(inReplyTo, post, options));
  },
  find: (client, account, { inReplyTo, ...said }, since, options) =>
    findOwnPosts(
      client,
      account,
      since,
      options,
      (post) => post.answers === inReplyTo && isSameWithMedia(said, post.text, isSameReply),
    ),
};

export const createPost: Effect<CreatePost> = {
  ...PUBLISHING,
  reads: READS_OWN_POSTS,
  async perform(client, _account, { text, media, poll, replySettings }, options) {
    const attached = await attachedTo(client, media, options);
    const post = { text, poll, replySettings, ...attached };
    return published(await client.posts.create(post, options));
  },
  find: (client, account, said, since, options) =>
    findOwnPosts(client, account, since, options, ({ answers, quotes, reposts, ...post }) => {
      const isAlone = answers === undefined && quotes === undefined && reposts === undefined;
      return isAlone && isSameWithMedia(said, post.text);
    }),
};
