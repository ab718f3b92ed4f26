import { UsageError } from "../../errors.ts";
import { POST_LENGTH } from "../../protocol/limits.ts";
import { LINK_LENGTH } from "../../protocol/public-text/length.ts";
import { split } from "../../protocol/public-text/split.ts";

/**
 * Splits a public text into the posts of a thread, as the runtime does with a long answer: between sentences, else
 * between words, else between characters as readers see them. Links stay whole, and so do mentions and tags that fit.
 *
 * @param limit Weighted characters of a part, a whole number from 23, the weight of a link; default 280.
 * @returns Parts in order, none of which begins or ends with white space; none for a text of white space.
 * @throws UsageError for another limit.
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
