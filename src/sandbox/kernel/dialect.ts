import { BODY_WORDS, DATA_WORDS, PATH_WORDS, type Dialect } from "../../interface/dialects.ts";

const reverse = (words: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(words).map(([post, tweet]) => [tweet, post]));

const TO_TWEET = new Map(Object.entries(DATA_WORDS));
const FROM_TWEET = reverse(DATA_WORDS);
const PATH_FROM_TWEET = reverse(PATH_WORDS);
const BODY_FROM_TWEET = reverse(BODY_WORDS);

/** A path segment in the post dialect. */
export function canonicalSegment(segment: string): string {
  return PATH_FROM_TWEET.get(segment) ?? segment;
}

/**
 * The query in the post dialect, and the dialect it was written in where it tells.
 *
 * Only parameters that hold lists of words are read for their values; other values are people's text.
 */
export function canonicalQuery(query: URLSearchParams): {
  query: URLSearchParams;
  spoken: Dialect | undefined;
} {
  const canonical = new URLSearchParams();
  let spoken: Dialect | undefined;
  const word = (given: string): string => {
    const post = FROM_TWEET.get(given);
    if (post !== undefined) spoken ??= "tweet";
    else if (TO_TWEET.has(given)) spoken ??= "post";
    return post ?? given;
  };
  for (const [name, value] of query) {
    const listed = name === "expansions" || name.endsWith(".fields");
    canonical.append(word(name), listed ? value.split(",").map(word).join(",") : value);
  }
  return { query: canonical, spoken };
}

/** A JSON body with its keys in the post dialect. */
export function canonicalBody(value: unknown): unknown {
  return renameKeys(value, BODY_FROM_TWEET);
}

/** An answer of the data interface, spelled in `dialect`. */
export function speak(body: unknown, dialect: Dialect): unknown {
  return dialect === "post" ? body : renameKeys(body, TO_TWEET);
}

/** `value` with the keys of its objects renamed, however deep. */
export function renameKeys(value: unknown, words: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => renameKeys(one, words));
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [
      words.get(key) ?? key,
      renameKeys(inner, words),
    ]),
  );
}
