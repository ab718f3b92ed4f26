import { textOrTexts } from "../schema/pieces.ts";
import { defineOperator, listOf } from "./operator.ts";
import { anyWord } from "./text-test.ts";
import { example } from "../schema/example.ts";

export const endsWith = defineOperator({
  example: example`
    conditions:
      - message.text: { ends_with: "?" }
  `,
  operand: textOrTexts.describe("The text ends with one of these. A blank at the start counts."),
  types: ["text"],
  folds: "end",
  compile: (operand, use) => anyWord(listOf(operand), use, (text, word) => text.endsWith(word)),
});
