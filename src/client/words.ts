import { DATA_WORDS, type Dialect } from "../interface/dialects.ts";

const TO_POST: ReadonlyMap<string, string> = new Map(
  Object.entries(DATA_WORDS).map(([post, tweet]) => [tweet, post]),
);

const TO_TWEET: ReadonlyMap<string, string> = new Map(Object.entries(DATA_WORDS));

/** A parameter, field or expansion name in the dialect that goes over the wire. */
export function spell(word: string, dialect: Dialect): string {
  if (dialect === "post") return word;
  return TO_TWEET.get(word) ?? word;
}

/** A path template in the dialect that goes over the wire; templates are written with `/2/posts`. */
export function spellPath(path: string, dialect: Dialect): string {
  return dialect === "post" ? path : path.replace(/^\/2\/posts(?=\/|$)/, "/2/tweets");
}

/**
 * An answer with every key in the post dialect's words.
 *
 * Answers are read so whatever dialect was asked in: a path that names no dialect is answered in
 * the app's, and the live service mixes the two.
 */
export function readWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readWords);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [TO_POST.get(key) ?? key, readWords(inner)]),
  );
}
