import { users } from "../model/accounts.ts";
import { media, CATEGORIES } from "../model/media.ts";
import { type SearchClause, indexedBy, type SearchOperator, dependentClause } from "./clause.ts";
import type { PostFacts } from "./facts.ts";
import { SearchSyntaxError } from "../../protocol/search-query/tokens.ts";

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
  images: (facts) => hasMedia(facts, (kind) => kind === "image"),
  videos: (facts) => hasMedia(facts, (kind) => kind === "video"),
  video_link: (facts) => hasMedia(facts, (kind) => kind === "video"),
  geo: ({ post }) => post.placeId !== undefined,
};

/** Index terms of flags; posts with other flags must be checked one by one. */
const INDEX_TERMS: Readonly<Record<string, string>> = {
  "is:retweet": "is:retweet",
  "is:repost": "is:retweet",
  "is:reply": "is:reply",
  "is:quote": "is:quote",
  "has:media": "has:media",
  "has:images": "has:media",
  "has:videos": "has:media",
  "has:video_link": "has:media",
  "has:geo": "has:geo",
};

/** Operators `is:` and `has:`. */
export const flagOperators: Readonly<Record<string, SearchOperator>> = {
  is: (value, at) => flag("is", IS, value, at),
  has: (value, at) => flag("has", HAS, value, at),
};

function flag(
  name: string,
  flags: Readonly<Record<string, Flag>>,
  value: string,
  at: number,
): SearchClause {
  const matches = flags[value.toLowerCase()];
  const mark = INDEX_TERMS[`${name}:${value.toLowerCase()}`];
  if (matches !== undefined) return { ...dependentClause(matches), ...indexedBy(mark) };
  throw new SearchSyntaxError(
    `Invalid value '${value}' for operator '${name}'; it is one of [${Object.keys(flags).join(",")}]`,
    at,
  );
}

function hasMedia({ world, post }: PostFacts, fits: (kind: string) => boolean): boolean {
  return (post.mediaIds ?? []).some((id) => {
    const medium = media.in(world).get(id);
    return medium !== undefined && fits(CATEGORIES[medium.category].kind);
  });
}
