import type { ClauseToken, QueryClause } from "./parse.ts";
import { SearchSyntaxError, tokensOf } from "./tokens.ts";

/** Operator of queries. Source: the live service's page about search operators. */
export interface QueryOperator extends QueryClause {
  /** Values that the operator accepts; absent if it accepts any text. */
  readonly values?: RegExp | readonly string[];
}

const ID = /^\d{1,19}$/;
const COUNT = /^\d{1,9}$/;
const any = { standalone: true };
const id = { standalone: true, values: ID };
const count = { standalone: false, values: COUNT };
const area = { standalone: false };

/** Operators by name. The post dialect has other names for some of them. */
export const QUERY_OPERATORS: Readonly<Record<string, QueryOperator>> = {
  from: any,
  to: any,
  url: any,
  retweets_of: any,
  reposts_of: any,
  retweets_of_user: any,
  context: any,
  entity: any,
  place: any,
  place_country: any,
  conversation_id: id,
  list: id,
  in_reply_to_tweet_id: id,
  in_reply_to_status_id: id,
  in_reply_to_post_id: id,
  retweets_of_tweet_id: id,
  retweets_of_post_id: id,
  reposts_of_post_id: id,
  quotes_of_tweet_id: id,
  quotes_of_post_id: id,
  min_likes: count,
  min_faves: count,
  min_replies: count,
  min_reposts: count,
  min_retweets: count,
  lang: { standalone: false },
  point_radius: area,
  bounding_box: area,
  is: {
    standalone: false,
    values: ["retweet", "repost", "reply", "quote", "verified", "nullcast"],
  },
  has: {
    standalone: false,
    values: [
      "hashtags",
      "cashtags",
      "links",
      "mentions",
      "media",
      "images",
      "videos",
      "video_link",
      "geo",
    ],
  },
};

/**
 * Returns the clause of a token, without searching.
 *
 * @throws {SearchSyntaxError} `operator` for an unknown operator, `value` for a value that it does not accept.
 */
export function checkedClause(token: ClauseToken): QueryClause {
  if (token.kind !== "operator") return { standalone: true };
  const { name, value, at } = token;
  const operator = Object.hasOwn(QUERY_OPERATORS, name) ? QUERY_OPERATORS[name] : undefined;
  if (operator === undefined) throw new SearchSyntaxError(name, at, "operator");
  const { values } = operator;
  const isAccepted =
    values instanceof RegExp ? values.test(value) : (values?.includes(value.toLowerCase()) ?? true);
  if (!isAccepted) throw new SearchSyntaxError(`${name}:${value}`, at, "value");
  return operator;
}

/** Longest query of recent search, in characters: on most plans, and on the enterprise plan. */
export const QUERY_LENGTHS = { most: 512, enterprise: 4_096 };

/** Longest rule of the filtered stream, in characters, on most plans. */
export const STREAM_RULE_LENGTH = 1_024;

/** Operators of recent search that the filtered stream lacks. Source: the live service's pages about both. */
const SEARCH_ONLY: ReadonlySet<string> = new Set([
  "list",
  "quotes_of_tweet_id",
  "quotes_of_post_id",
  "min_likes",
  "min_faves",
  "min_replies",
  "min_reposts",
  "min_retweets",
]);

/** Operators of the filtered stream that recent search lacks. Source: as above. */
export const STREAM_ONLY: ReadonlySet<string> = new Set([
  "sample",
  "bio",
  "bio_name",
  "bio_location",
  "url_title",
  "url_description",
  "url_contains",
  "from_affiliate_of",
  "to_affiliate_of",
  "min_followers",
  "followers_count",
  "tweets_count",
  "following_count",
  "listed_count",
  "source",
]);

/**
 * Returns the reason why a valid query of recent search is no rule of the filtered stream; undefined if it is one.
 *
 * @throws {SearchSyntaxError} if the query is malformed.
 */
export function whyNotStreamed(query: string): string | undefined {
  const { length } = query;
  if (length > STREAM_RULE_LENGTH) {
    return `the filtered stream accepts ${STREAM_RULE_LENGTH} characters at most, and the query has ${length}`;
  }
  for (const token of tokensOf(query)) {
    if (token.kind === "operator" && SEARCH_ONLY.has(token.name))
      return `the filtered stream has no operator ${token.name}:`;
  }
  return undefined;
}
