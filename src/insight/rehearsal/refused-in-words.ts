import type { RefusedAnswer } from "../../rules/run/listen.ts";
import { valueInWords } from "./clause-in-words.ts";

/**
 * An answer that a question did not take, in one line.
 *
 * @param by What asked the question: `1/rule:order`.
 * @param said What the person wrote.
 */
export function refusedInWords(
  { question, wanted }: RefusedAnswer,
  by: string,
  said: string | undefined,
): string {
  return `refused as an answer to ${question} (${by}): it wants ${wanted}, the message is ${valueInWords(said)}`;
}
