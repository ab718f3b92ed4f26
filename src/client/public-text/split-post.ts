import { UsageError } from "../../errors.ts";
import { POST_LENGTH } from "../../protocol/limits.ts";
import { LINK_LENGTH } from "../../protocol/public-text/length.ts";
import { split } from "../../protocol/public-text/split.ts";

/**
 * Splits a public text into the posts of a thread, like the runtime does with a long reply: between sentences, else
 * between words, else between graphemes. Links stay whole, and so do mentions and tags that fit into one part.
 *
 * @param limit Maximum weighted characters of a part, a whole number from 23 (the weight of a link); default 280.
 * @returns Trimmed parts in order; none for a text of white space.
 * @throws UsageError if `limit` is not a whole number from 23.
 *
 * @example
 * const parts = splitPost("A long story. ".repeat(40));
 * console.log(parts.length);
 */
export function splitPost(text: string, limit: number = POST_LENGTH): string[] {
  if (!Number.isInteger(limit) || limit < LINK_LENGTH) {
    throw new UsageError(`${limit} is no limit of a post`, {
      hint: `limit is a whole number from ${LINK_LENGTH}, the weight of a link`,
    });
  }
  return split(text, limit);
}
