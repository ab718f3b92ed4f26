/** Settings for published texts. */
export interface Posting {
  readonly long: LongPosts;
  /** Whether the account may publish longform posts. Then every text fits into one post. */
  readonly longform: boolean;
  readonly thirdParties: ThirdParties;
}

/** Ways to publish a text that is too long for one post: as a thread, cut to one post, or not at all. */
export const LONG_POSTS = ["thread", "cut", "fail"] as const;
/** Way to publish a long text: one of {@link LONG_POSTS}. */
export type LongPosts = (typeof LONG_POSTS)[number];

/**
 * Treatment of other people's mentions and links in a published text: made inert, held until an operator releases the
 * post, or published.
 */
export const THIRD_PARTIES = ["inert", "hold", "allow"] as const;
/** Treatment of other people's mentions and links: one of {@link THIRD_PARTIES}. */
export type ThirdParties = (typeof THIRD_PARTIES)[number];

/** Default settings for published texts. */
export const USUAL_POSTING: Posting = { long: "thread", longform: false, thirdParties: "inert" };
