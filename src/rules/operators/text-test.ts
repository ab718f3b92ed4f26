import type { FieldValue } from "../../events/fields.ts";
import type { FieldEvaluation } from "../lists/list-form.ts";
import type { FieldTest, OperatorUse } from "./operator.ts";

/** Compares a text with a word of the operand. Both are folded, unless case counts. */
export type TextComparison = (text: string, word: string) => boolean;

/**
 * Creates the test whether `compare` holds for a text and one of `words`, or all of them. A list of texts passes if it
 * contains the word as a member.
 */
export function wordTest(
  words: readonly string[],
  { cased }: OperatorUse,
  compare: TextComparison,
  wants: "one" | "all" = "one",
): FieldTest {
  const hold = (test: (word: string) => boolean): boolean =>
    wants === "all" ? words.every(test) : words.some(test);
  return (value, evaluation) => {
    if (typeof value === "string") {
      const text = cased ? value : evaluation.fold(value);
      return hold((word) => compare(text, word));
    }
    const members = membersOf(value, evaluation, cased);
    return members !== undefined && hold((word) => members.includes(word));
  };
}

function membersOf(
  value: FieldValue,
  evaluation: FieldEvaluation,
  cased: boolean,
): readonly string[] | undefined {
  if (typeof value !== "object") return undefined;
  return cased ? value : value.map((one) => evaluation.fold(one));
}
