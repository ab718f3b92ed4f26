import { users } from "../accounts/entities.ts";
import { media } from "../media/entities.ts";
import { CATEGORIES } from "../media/kinds.ts";
import { type Clause, markedAs, type Operator, together } from "./clause.ts";
import type { Facts } from "./facts.ts";
import { QueryFault } from "./token.ts";

type Flag = (facts: Facts) => boolean;

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
  media: (facts) => holds(facts, () => true),
  images: (facts) => holds(facts, (kind) => kind === "image"),
  videos: (facts) => holds(facts, (kind) => kind === "video"),
  video_link: (facts) => holds(facts, (kind) => kind === "video"),
  geo: ({ post }) => post.placeId !== undefined,
};

/** Marks under which posts with a flag are indexed; other flags need a look at the post. */
const MARKS: Readonly<Record<string, string>> = {
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

/** `is:` and `has:`. */
export const flagOperators: Readonly<Record<string, Operator>> = {
  is: (value, at) => flag("is", IS, value, at),
  has: (value, at) => flag("has", HAS, value, at),
};

function flag(
  name: string,
  flags: Readonly<Record<string, Flag>>,
  value: string,
  at: number,
): Clause {
  const matches = flags[value.toLowerCase()];
  const mark = MARKS[`${name}:${value.toLowerCase()}`];
  if (matches !== undefined) return { ...together(matches), ...markedAs(mark) };
  throw new QueryFault(
    `Invalid value '${value}' for operator '${name}'; it is one of [${Object.keys(flags).join(",")}]`,
    at,
  );
}

function holds({ world, post }: Facts, fits: (kind: string) => boolean): boolean {
  return (post.mediaIds ?? []).some((id) => {
    const found = media.in(world).get(id);
    return found !== undefined && fits(CATEGORIES[found.category].kind);
  });
}
