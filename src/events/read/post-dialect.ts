import { DATA_WORDS } from "../../protocol/dialects.ts";

const POST_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(DATA_WORDS).map(([post, tweet]) => [tweet, post]),
);

/** A value of the data interface with the keys of its objects in the post dialect, however deep. */
export function inPostDialect(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inPostDialect);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [
      POST_WORDS.get(key) ?? key,
      inPostDialect(inner),
    ]),
  );
}
