import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { lists, listTieKey, listTies } from "../model/lists.ts";
import { languageOf } from "../model/text/language.ts";
import {
  type CandidateList,
  type SearchClause,
  type SearchOperator,
  dependentClause,
  userClause,
} from "./clause.ts";
import type { PostFacts } from "./facts.ts";
import { flagOperators } from "./flags.ts";
import { geographyOperators } from "./geography.ts";
import {
  checkedClause,
  NEW_LANGUAGE_CODES,
  ownName,
} from "../../protocol/search-query/operators.ts";
import type { ClauseToken } from "../../protocol/search-query/tokens.ts";
import { textClause, urlClause, wordClause } from "./words.ts";

const OPERATORS: Readonly<Record<string, SearchOperator>> = {
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
  lang: (value) =>
    dependentClause(({ post }) => {
      const language = languageOf(post.text);
      return (NEW_LANGUAGE_CODES.get(language) ?? language) === value.toLowerCase();
    }),
  min_likes: atLeast(({ metrics }) => metrics.likes),
  min_replies: atLeast(({ metrics }) => metrics.replies),
  min_reposts: atLeast(({ metrics }) => metrics.reposts),
  context: (value) => ({
    standalone: true,
    matches: (facts) => hasAnnotation(facts, "id", value),
  }),
  entity: (value) => ({
    standalone: true,
    matches: (facts) => hasAnnotation(facts, "name", value),
  }),
  list: listClause,
};

/** Returns the clause of a token. @throws {SearchSyntaxError} for an unknown operator or an invalid value. */
export function clauseOf(token: ClauseToken): SearchClause {
  if (token.kind === "phrase") return textClause(token.text, token.at);
  if (token.kind === "word") return wordClause(token.text, token.at);
  const clause = checkedClause(token);
  const { [ownName(token.name)]: operator } = OPERATORS;
  if (operator === undefined) throw new Error(`the sandbox searches by no operator ${token.name}:`);
  return { ...operator(token.value, token.at), ...clause };
}

function byId(
  index: CandidateList["index"],
  idOf: (facts: PostFacts) => string | undefined,
): SearchOperator {
  return (value) => ({
    standalone: true,
    matches: (facts) => idOf(facts) === value,
    candidates: () => [
      { index, value },
      // The index `conversation` contains only replies, so the first post is found by its id.
      ...(index === "conversation" ? [{ index: "id" as const, value }] : []),
    ],
  });
}

/** Creates the clause for posts of the members of a public list. */
function listClause(value: string): SearchClause {
  const isOpen = (world: SandboxWorld): boolean => lists.in(world).get(value)?.private === false;
  return {
    standalone: true,
    matches: ({ world, post }) =>
      isOpen(world) &&
      listTies.in(world).get(listTieKey("member", value, post.authorId)) !== undefined,
    candidates: (world) =>
      isOpen(world)
        ? listTies
            .in(world)
            .where("list", `member:${value}`)
            .map(({ userId }) => ({ index: "author", value: userId }) as const)
        : [],
  };
}

function atLeast(count: (facts: PostFacts) => number): SearchOperator {
  return (value) => dependentClause((facts) => count(facts) >= Number(value));
}

/** Returns whether a context annotation of the post has a value: `<domain id>.<entity id>`, or a name. */
function hasAnnotation({ post }: PostFacts, by: "id" | "name", value: string): boolean {
  const annotations: unknown = post.extra?.["context_annotations"];
  if (!Array.isArray(annotations)) return false;
  return annotations.some((one: unknown) => {
    const { domain, entity }: { domain?: unknown; entity?: unknown } = Object(one);
    const actual = by === "id" ? `${Object(domain).id}.${Object(entity).id}` : Object(entity).name;
    return String(actual).toLowerCase() === value.toLowerCase();
  });
}
