import type { FieldTest, OperatorUse } from "./operator.ts";

/** Compares a text with a word of the operand; both are folded already, unless case counts. */
export type TextComparison = (text: string, word: string) => boolean;

/** Holds when `compare` does for one of `words`. A list as value is searched for equal members. */
export function anyWord(
  words: readonly string[],
  use: OperatorUse,
  compare: TextComparison,
): FieldTest {
  return textTest(words, use, compare, (all, matches) => all.some(matches));
}

/** Holds when `compare` does for all of `words`. */
export function everyWord(
  words: readonly string[],
  use: OperatorUse,
  compare: TextComparison,
): FieldTest {
  return textTest(words, use, compare, (all, matches) => all.every(matches));
}

function textTest(
  words: readonly string[],
  { cased }: OperatorUse,
  compare: TextComparison,
  holds: (words: readonly string[], matches: (word: string) => boolean) => boolean,
): FieldTest {
  return (value, evaluation) => {
    if (typeof value === "string") {
      const text = cased ? value : evaluation.fold(value);
      return holds(words, (word) => compare(text, word));
    }
    if (typeof value !== "object") return false;
    const members = cased ? value : value.map((one) => evaluation.fold(one));
    return holds(words, (word) => members.includes(word));
  };
}
