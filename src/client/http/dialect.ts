import { DATA_WORDS, type Dialect, PATH_WORDS } from "../../protocol/dialects.ts";
import { renameFields } from "../../protocol/rename-keys.ts";

const TO_POST: ReadonlyMap<string, string> = new Map(
  Object.entries(DATA_WORDS).map(([post, tweet]) => [tweet, post]),
);

const TO_TWEET: ReadonlyMap<string, string> = new Map(Object.entries(DATA_WORDS));

/** Translates a parameter, field or expansion from the post dialect (`repost_count`) to the request's dialect. */
export function toDialect(word: string, dialect: Dialect): string {
  if (dialect === "post") return word;
  return TO_TWEET.get(word) ?? word;
}

/** Translates a path template from the post dialect (`/2/posts`) to the dialect of the request. */
export function pathToDialect(path: string, dialect: Dialect): string {
  if (dialect === "post") return path;
  return mapSegments(path, (segment) => PATH_WORDS[segment]);
}

/** Translates a path in either dialect to the post dialect: `/2/tweets/42` to `/2/posts/42`. */
export function pathToPostDialect(path: string): string {
  return mapSegments(path, (segment) => PATH_TO_POST.get(segment));
}

const PATH_TO_POST: ReadonlyMap<string, string> = new Map(
  Object.entries(PATH_WORDS).map(([post, tweet]) => [tweet, post]),
);

function mapSegments(path: string, other: (segment: string) => string | undefined): string {
  if (!path.startsWith("/2/")) return path;
  return path
    .split("/")
    .map((segment) => other(segment) ?? segment)
    .join("/");
}

/**
 * Translates all keys of a response's object to the post dialect.
 *
 * Every response is translated, whatever the dialect of the request: the platform answers a path without a dialect in
 * the app's dialect, and the live service mixes the two dialects.
 */
export function fieldsToPostDialect(fields: object): Readonly<Record<string, unknown>> {
  return renameFields(fields, TO_POST);
}
