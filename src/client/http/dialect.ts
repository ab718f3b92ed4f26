import { DATA_WORDS, type Dialect, PATH_WORDS } from "../../protocol/dialects.ts";
import { renameFields } from "../../protocol/rename-keys.ts";

const TO_POST: ReadonlyMap<string, string> = new Map(
  Object.entries(DATA_WORDS).map(([post, tweet]) => [tweet, post]),
);

const TO_TWEET: ReadonlyMap<string, string> = new Map(Object.entries(DATA_WORDS));

/** Translates a parameter, field or expansion name to the dialect of the wire. */
export function toDialect(word: string, dialect: Dialect): string {
  if (dialect === "post") return word;
  return TO_TWEET.get(word) ?? word;
}

/** Translates a path template from the post dialect to the dialect of the wire. */
export function pathToDialect(path: string, dialect: Dialect): string {
  if (dialect === "post") return path;
  return mapSegments(path, (segment) => PATH_WORDS[segment]);
}

/** Translates a path in either dialect to the form of the endpoints' templates. */
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
 * Translates all keys of an answer's object to the post dialect.
 *
 * Every answer is translated, whatever the dialect of the request: a path without a dialect is answered in
 * the app's dialect, and the live service mixes the two.
 */
export function fieldsToPostDialect(fields: object): Readonly<Record<string, unknown>> {
  return renameFields(fields, TO_POST);
}
