import { languageOf } from "../posts/language.ts";
import { type Candidates, type Clause, type Operator, together, userClause } from "./clause.ts";
import type { Facts } from "./facts.ts";
import { flagOperators } from "./flags.ts";
import { geographyOperators } from "./geography.ts";
import { QueryFault, type Token } from "./token.ts";
import { textClause, urlClause, wordClause } from "./words.ts";

const OPERATORS: Readonly<Record<string, Operator>> = {
  ...flagOperators,
  ...geographyOperators,
  from: (value) =>
    userClause(
      value,
      ({ post }) => post.authorId,
      (id) => ({ index: "author", value: id }),
    ),
  to: (value) =>
    userClause(
      value,
      ({ post }) => post.replyToUserId,
      (id) => ({ index: "term", value: `to:${id}` }),
    ),
  retweets_of: (value) =>
    userClause(
      value,
      ({ post }) => post.repostOfUserId,
      (id) => ({ index: "term", value: `rt:${id}` }),
    ),
  url: urlClause,
  conversation_id: byId("conversation", ({ post }) => post.conversationId),
  in_reply_to_tweet_id: byId("replyTo", ({ post }) => post.replyTo),
  retweets_of_tweet_id: byId("repostOf", ({ post }) => post.repostOf),
  quotes_of_tweet_id: byId("quoteOf", ({ post }) => post.quoteOf),
  lang: (value) => together(({ post }) => languageOf(post.text) === value.toLowerCase()),
  min_likes: least(({ metrics }) => metrics.likes),
  min_replies: least(({ metrics }) => metrics.replies),
  min_reposts: least(({ metrics }) => metrics.reposts),
  context: (value) => ({
    standalone: true,
    matches: (facts) => annotated(facts, "id", value),
  }),
  entity: (value) => ({
    standalone: true,
    matches: (facts) => annotated(facts, "name", value),
  }),
  // The sandbox has no lists, so nobody is a member of one.
  list: () => ({ standalone: true, matches: () => false, candidates: () => [] }),
};

/** Other spellings of the operators above. */
const ALIASES: Readonly<Record<string, string>> = {
  in_reply_to_status_id: "in_reply_to_tweet_id",
  in_reply_to_post_id: "in_reply_to_tweet_id",
  retweets_of_post_id: "retweets_of_tweet_id",
  reposts_of_post_id: "retweets_of_tweet_id",
  quotes_of_post_id: "quotes_of_tweet_id",
  reposts_of: "retweets_of",
  retweets_of_user: "retweets_of",
  min_faves: "min_likes",
  min_retweets: "min_reposts",
};

/** @throws {QueryFault} where there is no such operator, or its value is none of its. */
export function clauseOf(token: Extract<Token, { kind: "word" | "phrase" | "operator" }>): Clause {
  if (token.kind === "phrase") return textClause(token.text, token.at);
  if (token.kind === "word") return wordClause(token.text, token.at);
  const make = OPERATORS[ALIASES[token.name] ?? token.name];
  if (make !== undefined) return make(token.value, token.at);
  throw new QueryFault(
    `Reference to invalid operator '${token.name}'. Operator is not available in current product or product packaging.`,
    token.at,
  );
}

function byId(index: Candidates["index"], idOf: (facts: Facts) => string | undefined): Operator {
  return (value, at) => {
    if (!/^\d{1,19}$/.test(value)) throw new QueryFault(`Invalid value '${value}' for an id`, at);
    return {
      standalone: true,
      matches: (facts) => idOf(facts) === value,
      candidates: () => [
        { index, value },
        // The post that began a conversation is no reply in it.
        ...(index === "conversation" ? [{ index: "id" as const, value }] : []),
      ],
    };
  };
}

function least(count: (facts: Facts) => number): Operator {
  return (value, at) => {
    if (!/^\d{1,9}$/.test(value)) throw new QueryFault(`Invalid value '${value}' for a count`, at);
    return together((facts) => count(facts) >= Number(value));
  };
}

/** Whether a context annotation of the post carries a value: `<domain id>.<entity id>`, or a name. */
function annotated({ post }: Facts, by: "id" | "name", value: string): boolean {
  const annotations: unknown = post.extra?.["context_annotations"];
  if (!Array.isArray(annotations)) return false;
  return annotations.some((one: unknown) => {
    const { domain, entity }: { domain?: unknown; entity?: unknown } = Object(one);
    const told = by === "id" ? `${Object(domain).id}.${Object(entity).id}` : Object(entity).name;
    return String(told).toLowerCase() === value.toLowerCase();
  });
}
