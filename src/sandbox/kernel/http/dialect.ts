import { BODY_WORDS, DATA_WORDS, PATH_WORDS, type Dialect } from "../../../protocol/dialects.ts";
import { renameKeys } from "../../../protocol/rename-keys.ts";

const reverse = (words: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(words).map(([post, tweet]) => [tweet, post]));

const TO_TWEET = new Map(Object.entries(DATA_WORDS));
const FROM_TWEET = reverse(DATA_WORDS);
const PATH_FROM_TWEET = reverse(PATH_WORDS);
const BODY_FROM_TWEET = reverse(BODY_WORDS);

/** Returns a path segment in the post dialect: `tweets` becomes `posts`. */
export function canonicalSegment(segment: string): string {
  return PATH_FROM_TWEET.get(segment) ?? segment;
}

/**
 * Returns the query translated to the post dialect, and the dialect in which the caller wrote the query. The dialect is
 * undefined if all words of the query are the same in both dialects.
 *
 * Only values of parameters that are lists of field names are translated; other values are people's text.
 */
export function canonicalQuery(query: URLSearchParams): {
  query: URLSearchParams;
  dialect: Dialect | undefined;
} {
  const canonical = new URLSearchParams();
  let dialect: Dialect | undefined;
  const word = (queryWord: string): string => {
    const post = FROM_TWEET.get(queryWord);
    if (post !== undefined) dialect ??= "tweet";
    else if (TO_TWEET.has(queryWord)) dialect ??= "post";
    return post ?? queryWord;
  };
  for (const [name, value] of query) {
    const listed = name === "expansions" || name.endsWith(".fields");
    canonical.append(word(name), listed ? value.split(",").map(word).join(",") : value);
  }
  return { query: canonical, dialect };
}

/** Returns a JSON body with its keys in the post dialect. */
export function canonicalBody(value: unknown): unknown {
  return renameKeys(value, BODY_FROM_TWEET);
}

/** Returns a response of API v2 with its keys translated to `dialect`. */
export function toDialect(body: unknown, dialect: Dialect): unknown {
  return dialect === "post" ? body : renameKeys(body, TO_TWEET);
}

/** Translates a parameter, field, expansion or body key from the post dialect to `dialect`. */
export function toCallerWord(word: string, dialect: Dialect): string {
  return dialect === "post" ? word : (DATA_WORDS[word] ?? BODY_WORDS[word] ?? word);
}
