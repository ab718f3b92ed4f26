import { wordsOf } from "../model/text/terms.ts";
import type { SearchClause } from "./clause.ts";
import { containsRun, findUserId } from "./facts.ts";
import { SearchSyntaxError } from "../../protocol/search-query/tokens.ts";

/** Creates the clause of a word that is not an operator: a tag, a mention, or text. */
export function wordClause(text: string, at: number): SearchClause {
  const sign = text[0];
  const name = text.slice(1).toLowerCase();
  if (sign === "#") return entityClause("hashtag", "#", name);
  if (sign === "@") return mentionClause(name);
  if (sign === "$" && /^[a-z]+$/.test(name)) return entityClause("cashtag", "$", name);
  return textClause(text, at);
}

/** Creates the clause for consecutive words. A repost is never found by its words. */
export function textClause(text: string, at: number): SearchClause {
  const words = wordsOf(text);
  const term = longestWord(words);
  if (term === "") throw new SearchSyntaxError(`no viable alternative at input '${text}'`, at);
  return {
    standalone: true,
    matches: (facts) => facts.post.repostOf === undefined && containsRun(facts.words, words),
    candidates: () => [{ index: "term", value: term }],
  };
}

/** Creates the clause for consecutive words in a link of the post. */
export function urlClause(value: string, at: number): SearchClause {
  const words = wordsOf(value);
  const term = longestWord(words);
  if (term === "") throw new SearchSyntaxError(`no viable alternative at input '${value}'`, at);
  return {
    standalone: true,
    matches: (facts) =>
      facts.post.repostOf === undefined &&
      facts.entities.some(({ kind, word }) => kind === "url" && containsRun(wordsOf(word), words)),
    candidates: () => [{ index: "term", value: term }],
  };
}

/** Creates the clause for a mention, typed by the author or inherited from the thread. */
function mentionClause(name: string): SearchClause {
  return {
    ...entityClause("mention", "@", name),
    candidates: (world) => {
      const id = findUserId(world, name);
      const typed = { index: "term", value: `@${name}` } as const;
      return id === undefined ? [typed] : [typed, { index: "term", value: `inherits:${id}` }];
    },
  };
}

function entityClause(
  kind: "hashtag" | "mention" | "cashtag",
  sign: string,
  name: string,
): SearchClause {
  return {
    standalone: true,
    matches: (facts) => facts.post.repostOf === undefined && facts.has(kind, name),
    candidates: () => [{ index: "term", value: sign + name }],
  };
}

/** Returns the longest word. Longer words tend to be rarer, so that fewer posts must be checked. */
function longestWord(words: readonly string[]): string {
  return words.reduce((best, word) => (word.length > best.length ? word : best), "");
}
