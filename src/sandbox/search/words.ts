import { wordsOf } from "../posts/terms.ts";
import type { Clause } from "./clause.ts";
import { containsRun } from "./facts.ts";
import { QueryFault } from "./token.ts";

/** A word of a query that is no operator: a tag, a mention, or text. */
export function wordClause(text: string, at: number): Clause {
  const sign = text[0];
  const name = text.slice(1).toLowerCase();
  if (sign === "#") return entityClause("hashtag", "#", name);
  if (sign === "@") return entityClause("mention", "@", name);
  if (sign === "$" && /^[a-z]+$/.test(name)) return entityClause("cashtag", "$", name);
  return textClause(text, at);
}

/** Words in a row. A repost is never found by its words. */
export function textClause(text: string, at: number): Clause {
  const words = wordsOf(text);
  const term = longest(words);
  if (term === "") throw new QueryFault(`no viable alternative at input '${text}'`, at);
  return {
    standalone: true,
    matches: (facts) => facts.post.repostOf === undefined && containsRun(facts.words, words),
    candidates: () => [{ index: "term", value: term }],
  };
}

/** Words in a row inside one link of the post. */
export function urlClause(value: string, at: number): Clause {
  const words = wordsOf(value);
  const term = longest(words);
  if (term === "") throw new QueryFault(`no viable alternative at input '${value}'`, at);
  return {
    standalone: true,
    matches: (facts) =>
      facts.post.repostOf === undefined &&
      facts.entities.some(({ kind, word }) => kind === "url" && containsRun(wordsOf(word), words)),
    candidates: () => [{ index: "term", value: term }],
  };
}

function entityClause(kind: "hashtag" | "mention" | "cashtag", sign: string, name: string): Clause {
  return {
    standalone: true,
    matches: (facts) => facts.post.repostOf === undefined && facts.has(kind, name),
    candidates: () => [{ index: "term", value: sign + name }],
  };
}

/** Long words are rare words, well enough to start from. */
function longest(words: readonly string[]): string {
  return words.reduce((best, word) => (word.length > best.length ? word : best), "");
}
