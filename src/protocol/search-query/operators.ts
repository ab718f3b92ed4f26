import { isBoundingBox, isPointRadius } from "./areas.ts";
import type { QueryClause } from "./parse.ts";
import { type ClauseToken, type OperatorToken, SearchSyntaxError, tokensOf } from "./tokens.ts";

/** Operator of search queries. Source: the live service's page about search operators. */
export interface QueryOperator extends QueryClause {
  /** Values that the operator accepts; absent if it accepts any text. */
  readonly values?: readonly string[] | ((value: string) => boolean);
  /** Example of a value that the operator accepts, for error messages. */
  readonly example: string;
}

const isId = (value: string): boolean => /^\d{1,19}$/.test(value);
const isCount = (value: string): boolean => /^\d{1,9}$/.test(value);
/**
 * Languages with an old code. Posts have the old code in `lang`, and the operator `lang:` accepts only the new code, which
 * is the value here.
 */
export const NEW_LANGUAGE_CODES: ReadonlyMap<string, string> = new Map([
  ["iw", "he"],
  ["in", "id"],
]);
const isLanguage = (value: string): boolean =>
  /^[a-z]{2,3}(?:-[a-z]{2,4})?$/i.test(value) && !NEW_LANGUAGE_CODES.has(value.toLowerCase());

const user = { standalone: true, example: "acme" };
const id = { standalone: true, values: isId, example: "123" };
const count = { standalone: false, values: isCount, example: "10" };

/** Search operators by name. */
export const QUERY_OPERATORS: Readonly<Record<string, QueryOperator>> = {
  from: user,
  to: user,
  retweets_of: user,
  url: { standalone: true, example: '"https://example.com"' },
  context: { standalone: true, example: "10.799022225751871488" },
  entity: { standalone: true, example: '"Michael Jordan"' },
  place: { standalone: true, example: "paris" },
  place_country: { standalone: true, example: "FR" },
  point_radius: { standalone: true, values: isPointRadius, example: "[2.35 48.86 16km]" },
  bounding_box: { standalone: true, values: isBoundingBox, example: "[2.2 48.8 2.4 48.9]" },
  conversation_id: id,
  list: id,
  in_reply_to_tweet_id: id,
  retweets_of_tweet_id: id,
  quotes_of_tweet_id: id,
  min_likes: count,
  min_replies: count,
  min_reposts: count,
  lang: { standalone: false, values: isLanguage, example: "en" },
  is: {
    standalone: false,
    values: ["retweet", "repost", "reply", "quote", "verified", "nullcast"],
    example: "reply",
  },
  has: {
    standalone: false,
    values: [
      "hashtags",
      "cashtags",
      "links",
      "mentions",
      "media",
      "media_link",
      "images",
      "videos",
      "video_link",
      "geo",
    ],
    example: "links",
  },
};

/** Other names of the operators; those with `post` and `repost` belong to the post dialect. */
export const OPERATOR_ALIASES: Readonly<Record<string, string>> = {
  in_reply_to_status_id: "in_reply_to_tweet_id",
  in_reply_to_post_id: "in_reply_to_tweet_id",
  retweets_of_status_id: "retweets_of_tweet_id",
  retweets_of_post_id: "retweets_of_tweet_id",
  reposts_of_post_id: "retweets_of_tweet_id",
  quotes_of_status_id: "quotes_of_tweet_id",
  quotes_of_post_id: "quotes_of_tweet_id",
  reposts_of: "retweets_of",
  retweets_of_user: "retweets_of",
  geo_bounding_box: "bounding_box",
  min_faves: "min_likes",
  min_retweets: "min_reposts",
};

/** Returns the name in {@link QUERY_OPERATORS} for one of an operator's names. */
export function ownName(name: string): string {
  return Object.hasOwn(OPERATOR_ALIASES, name) ? (OPERATOR_ALIASES[name] ?? name) : name;
}

/** Returns an operator by one of its names. */
export function queryOperator(name: string): QueryOperator | undefined {
  const own = ownName(name);
  return Object.hasOwn(QUERY_OPERATORS, own) ? QUERY_OPERATORS[own] : undefined;
}

/**
 * Checks a token of a query, and returns the properties of its clause.
 *
 * @throws {SearchSyntaxError} `operator` for an unknown operator, `value` for a value that the operator does not
 *   accept.
 */
export function checkedClause(token: ClauseToken): QueryClause {
  if (token.kind !== "operator") return { standalone: true };
  const { name, value, at } = token;
  const operator = queryOperator(name);
  if (operator === undefined) throw invalidOperator(token);
  const { standalone, values } = operator;
  const isAccepted =
    typeof values === "function" ? values(value) : (values?.includes(value.toLowerCase()) ?? true);
  if (!isAccepted) {
    const message = `Invalid value '${value}' for operator '${name}'`;
    throw new SearchSyntaxError(message, at, "value", token);
  }
  return name === "is" && value.toLowerCase() === "nullcast"
    ? { standalone, negatedOnly: token }
    : { standalone };
}

function invalidOperator(token: OperatorToken): SearchSyntaxError {
  const message = `Reference to invalid operator '${token.name}'. Operator is not available in current product or product packaging.`;
  return new SearchSyntaxError(message, token.at, "operator", token);
}

/** Maximum characters of a query of recent search: `most` for most plans, `enterprise` for the enterprise plan. */
export const QUERY_LENGTHS = { most: 512, enterprise: 4_096 };

/** Maximum characters of a rule of the filtered stream, on most plans. */
export const STREAM_RULE_LENGTH = 1_024;

/** Operators of recent search that the filtered stream lacks. Source: the live service's pages about both. */
const SEARCH_ONLY: ReadonlySet<string> = new Set([
  "list",
  "quotes_of_tweet_id",
  "min_likes",
  "min_replies",
  "min_reposts",
]);

/** Operators of the filtered stream that recent search lacks. Source: the live service's pages about both. */
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

function searchOnlyOperator(query: string): OperatorToken | undefined {
  return tokensOf(query).find(
    (token): token is OperatorToken =>
      token.kind === "operator" && SEARCH_ONLY.has(ownName(token.name)),
  );
}

/** Checks that the filtered stream has the operators of a query. @throws {SearchSyntaxError} if it lacks one. */
export function checkStreamed(query: string): void {
  const token = searchOnlyOperator(query);
  if (token !== undefined) throw invalidOperator(token);
}

/**
 * Returns the reason why a valid query of recent search can't be a rule of the filtered stream; undefined if it can.
 *
 * @throws {SearchSyntaxError} if the query is malformed.
 */
export function whyNotStreamed(query: string): string | undefined {
  const { length } = query;
  if (length > STREAM_RULE_LENGTH) {
    return `the filtered stream accepts ${STREAM_RULE_LENGTH} characters at most, and the query has ${length}`;
  }
  const token = searchOnlyOperator(query);
  return token && `the filtered stream has no operator ${token.name}:`;
}
