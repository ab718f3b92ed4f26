/**
 * The two spellings of the platform's API: the neutral `post` words and the older `tweet` words.
 *
 * The code uses the post dialect everywhere; the tables of this file translate requests, responses and deliveries.
 */
export type Dialect = "post" | "tweet";

/** The dialects, the default first. */
export const DIALECTS = ["post", "tweet"] as const satisfies readonly Dialect[];

/**
 * Names that differ between the dialects, in objects, parameters and expansions of API v2. Keys are in the post
 * dialect, values in the tweet dialect.
 */
export const DATA_WORDS: Readonly<Record<string, string>> = {
  edit_history_post_ids: "edit_history_tweet_ids",
  referenced_posts: "referenced_tweets",
  "referenced_posts.id": "referenced_tweets.id",
  "referenced_posts.id.author_id": "referenced_tweets.id.author_id",
  "referenced_posts.id.attachments.media_keys": "referenced_tweets.id.attachments.media_keys",
  repost_count: "retweet_count",
  post_count: "tweet_count",
  total_post_count: "total_tweet_count",
  note_post: "note_tweet",
  pinned_post_id: "pinned_tweet_id",
  most_recent_post_id: "most_recent_tweet_id",
  "post.fields": "tweet.fields",
  posts: "tweets",
};

/** Names that differ between the dialects in the bodies of webhook deliveries. Keys are in the post dialect. */
export const EVENT_WORDS: Readonly<Record<string, string>> = {
  post_create_events: "tweet_create_events",
  post_delete_events: "tweet_delete_events",
  extended_post: "extended_tweet",
  initial_post_id: "initial_tweet_id",
  edit_post_ids: "edit_tweet_ids",
  reposted_status: "retweeted_status",
  repost_count: "retweet_count",
  reposted: "retweeted",
};

/** Names, by dialect, of the delivery header that carries `sha256=` and the base64 HMAC-SHA256 of the raw body. */
export const SIGNATURE_HEADERS: Readonly<Record<Dialect, string>> = {
  post: "x-platform-webhooks-signature",
  tweet: "x-twitter-webhooks-signature",
};

/** Path segments of the post dialect, each with the segment of the tweet dialect. */
export const PATH_WORDS: Readonly<Record<string, string>> = {
  posts: "tweets",
  reposts: "retweets",
  quote_posts: "quote_tweets",
  reposted_by: "retweeted_by",
  liked_posts: "liked_tweets",
};

/**
 * Keys of request bodies that differ between the dialects. The live service uses the values of this table, the older
 * spelling, in both dialects.
 */
export const BODY_WORDS: Readonly<Record<string, string>> = {
  post_id: "tweet_id",
  quote_post_id: "quote_tweet_id",
  in_reply_to_post_id: "in_reply_to_tweet_id",
};
