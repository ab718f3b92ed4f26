import { DATA_WORDS } from "../../protocol/dialects.ts";
import { renameKeys } from "../../protocol/rename-keys.ts";

const POST_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(DATA_WORDS).map(([post, tweet]) => [tweet, post]),
);

/** A value of the data interface with the keys of its objects in the post dialect, however deep. */
export function inPostDialect(value: unknown): unknown {
  return renameKeys(value, POST_WORDS);
}
