import { DATA_WORDS, type Dialect, PATH_WORDS } from "../../protocol/dialects.ts";
import { renameFields } from "../../protocol/rename-keys.ts";

const TO_POST: ReadonlyMap<string, string> = new Map(
  Object.entries(DATA_WORDS).map(([post, tweet]) => [tweet, post]),
);

const TO_TWEET: ReadonlyMap<string, string> = new Map(Object.entries(DATA_WORDS));

/** A parameter, field or expansion name in the dialect that goes over the wire. */
export function toDialect(word: string, dialect: Dialect): string {
  if (dialect === "post") return word;
  return TO_TWEET.get(word) ?? word;
}

/** A path template in the dialect that goes over the wire; templates are written in the post dialect. */
export function pathToDialect(path: string, dialect: Dialect): string {
  if (dialect === "post") return path;
  return mapSegments(path, (segment) => PATH_WORDS[segment]);
}

/** A path in either dialect as the templates of the endpoints have it. */
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
 * An answer's object with every key in the post dialect's words.
 *
 * Answers are translated whatever the dialect of the request: a path that names no dialect is answered in
 * the app's, and the live service mixes the two.
 */
export function fieldsToPostDialect(fields: object): Readonly<Record<string, unknown>> {
  return renameFields(fields, TO_POST);
}
