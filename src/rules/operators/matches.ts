import { compilePattern, type Pattern } from "../compile/pattern.ts";
import type { FieldValue } from "../../events/fields.ts";
import type { FieldEvaluation } from "../decide/field-evaluation.ts";
import { textOrTexts } from "../schema/pieces.ts";
import { defineOperator, listOf } from "./operator.ts";

export const matches = defineOperator({
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
    const textOf = (value: FieldValue, evaluation: FieldEvaluation) => {
      if (typeof value !== "string") return undefined;
      return cased ? value : evaluation.tidy(value);
    };
    const test = (value: FieldValue, evaluation: FieldEvaluation) => {
      const text = textOf(value, evaluation);
      return text !== undefined && patterns.some((pattern) => pattern.test(text));
    };
    const names = [...new Set(patterns.flatMap(({ groups }) => groups))];
    if (names.length === 0) return test;
    const none = Object.fromEntries(names.map((name) => [name, ""]));
    const of = (value: FieldValue, evaluation: FieldEvaluation) => {
      const text = textOf(value, evaluation);
      const first = text === undefined ? undefined : patterns.find((one) => one.test(text));
      return first && { ...none, ...first.captures(text ?? "") };
    };
    return Object.assign(test, { captures: { names, of } });
  },
});
