/** Settings for texts that are published. */
export interface Posting {
  readonly long: LongPosts;
  /** The account may publish longform posts, so every text is one post. */
  readonly longform: boolean;
  readonly thirdParties: ThirdParties;
}

/** Ways to publish a text that is longer than one post: as a thread, cut to one post, or not at all. */
export const LONG_POSTS = ["thread", "cut", "fail"] as const;
/** One of {@link LONG_POSTS}. */
export type LongPosts = (typeof LONG_POSTS)[number];

/** What happens to mentions and links that others bring into a public text: no effect, held back, or published. */
export const THIRD_PARTIES = ["inert", "hold", "allow"] as const;
/** One of {@link THIRD_PARTIES}. */
export type ThirdParties = (typeof THIRD_PARTIES)[number];

/** Settings of a project that sets nothing. */
export const USUAL_POSTING: Posting = { long: "thread", longform: false, thirdParties: "inert" };
