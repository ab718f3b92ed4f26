import { compilePattern, type Pattern } from "../compile/pattern.ts";
import { textOrTexts } from "../schema/pieces.ts";
import { defineOperator, listOf } from "./operator.ts";

export const matches = defineOperator({
  operand: textOrTexts.describe("An RE2 pattern; (?i) in front ignores case."),
  types: ["text"],
  compile(operand) {
    const patterns: Pattern[] = [];
    for (const source of listOf(operand)) {
      const pattern = compilePattern(source);
      if ("mistake" in pattern) {
        const { mistake, offset, length } = pattern;
        return { mistake, part: { text: source, offset, length } };
      }
      patterns.push(pattern);
    }
    return (value) => typeof value === "string" && patterns.some((pattern) => pattern.test(value));
  },
});
