import { users } from "../model/accounts.ts";
import { media, CATEGORIES } from "../model/media.ts";
import { type SearchClause, indexedBy, type SearchOperator, dependentClause } from "./clause.ts";
import type { PostFacts } from "./facts.ts";

type Flag = (facts: PostFacts) => boolean;

const IS: Readonly<Record<string, Flag>> = {
  retweet: ({ post }) => post.repostOf !== undefined,
  repost: ({ post }) => post.repostOf !== undefined,
  reply: ({ post }) => post.replyTo !== undefined,
  quote: ({ post }) => post.quoteOf !== undefined,
  verified: ({ world, post }) => users.in(world).get(post.authorId)?.profile["verified"] === true,
  nullcast: ({ post }) => post.extra?.["nullcast"] === true,
};

const HAS: Readonly<Record<string, Flag>> = {
  hashtags: (facts) => facts.has("hashtag"),
  cashtags: (facts) => facts.has("cashtag"),
  links: (facts) => facts.has("url"),
  mentions: (facts) => facts.has("mention"),
  media: (facts) => hasMedia(facts, () => true),
  media_link: (facts) => hasMedia(facts, () => true),
  images: (facts) => hasMedia(facts, (kind) => kind === "image"),
  videos: (facts) => hasMedia(facts, (kind) => kind === "video"),
  video_link: (facts) => hasMedia(facts, (kind) => kind === "video"),
  geo: ({ post }) => post.placeId !== undefined,
};

/** Index terms that find the posts with a flag. For flags without a term, posts must be checked one by one. */
const INDEX_TERMS: Readonly<Record<string, string>> = {
  "is:retweet": "is:retweet",
  "is:repost": "is:retweet",
  "is:reply": "is:reply",
  "is:quote": "is:quote",
  "has:media": "has:media",
  "has:media_link": "has:media",
  "has:images": "has:media",
  "has:videos": "has:media",
  "has:video_link": "has:media",
  "has:geo": "has:geo",
};

/** Search operators `is:` and `has:`, such as `is:reply` and `has:media`. */
export const flagOperators: Readonly<Record<string, SearchOperator>> = {
  is: (value) => flag("is", IS, value),
  has: (value) => flag("has", HAS, value),
};

function flag(name: string, flags: Readonly<Record<string, Flag>>, value: string): SearchClause {
  const { [value.toLowerCase()]: matches = () => false } = flags;
  return {
    ...dependentClause(matches),
    ...indexedBy(INDEX_TERMS[`${name}:${value.toLowerCase()}`]),
  };
}

function hasMedia({ world, post }: PostFacts, fits: (kind: string) => boolean): boolean {
  return (post.mediaIds ?? []).some((id) => {
    const medium = media.in(world).get(id);
    return medium !== undefined && fits(CATEGORIES[medium.category].kind);
  });
}
