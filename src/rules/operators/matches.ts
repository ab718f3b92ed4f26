import { compilePattern, type Pattern } from "../expression/patterns/pattern.ts";
import { capturedText } from "../expression/patterns/captured-text.ts";
import { mergedNumbers, numberGroups } from "../expression/patterns/number-groups.ts";
import type { FieldValue } from "../../events/fields.ts";
import type { FieldEvaluation } from "../lists/list-form.ts";
import { textOrTexts } from "../schema/pieces.ts";
import { defineOperator, type FieldCaptures, type FieldTest, listOf } from "./operator.ts";
import { example } from "../example.ts";

export const matches = defineOperator({
  example: example`
    conditions:
      - message.text: { matches: '\b(?P<order>[A-Z]\d{5})\b' }
  `,
  operand: textOrTexts.describe("An RE2 pattern, found anywhere in the text, in any case."),
  types: ["text"],
  compile(operand, { cased }) {
    const patterns: Pattern[] = [];
    for (const source of listOf(operand)) {
      const pattern = compilePattern(source, cased);
      if ("mistake" in pattern) {
        const { mistake, offset, length } = pattern;
        return { mistake, part: { text: source, offset, length } };
      }
      patterns.push(pattern);
    }
    const test = oneMatches(patterns, cased);
    const names = [...new Set(patterns.flatMap(({ groups }) => groups))];
    return names.length === 0
      ? test
      : Object.assign(test, { captures: capturesOf(patterns, cased, names) });
  },
});

function oneMatches(patterns: readonly Pattern[], cased: boolean): FieldTest {
  return (value, evaluation) => {
    const text = textOf(value, evaluation, cased);
    return text !== undefined && patterns.some((pattern) => pattern.test(text));
  };
}

/** Captures the named groups of the first of `patterns` that matches. */
function capturesOf(
  patterns: readonly Pattern[],
  cased: boolean,
  names: readonly string[],
): FieldCaptures {
  const none = Object.fromEntries(names.map((name) => [name, ""]));
  return {
    names,
    numbers: mergedNumbers(
      patterns.map(({ source, groups }) => ({ names: groups, numbers: numberGroups(source) })),
      "one",
    ),
    of(value, evaluation) {
      const text = textOf(value, evaluation, cased);
      const first = text === undefined ? undefined : patterns.find((one) => one.test(text));
      if (first === undefined || typeof value !== "string") return undefined;
      return { ...none, ...capturedText([first], value, cased) };
    },
  };
}

function textOf(value: FieldValue, evaluation: FieldEvaluation, cased: boolean) {
  if (typeof value !== "string") return undefined;
  return cased ? value : evaluation.tidy(value);
}
