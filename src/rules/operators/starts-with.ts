import { textOrTexts } from "../schema/pieces.ts";
import { defineOperator, listOf } from "./operator.ts";
import { anyWord } from "./text-test.ts";
import { example } from "../schema/example.ts";

export const startsWith = defineOperator({
  example: example`
    conditions:
      - message.text: { starts_with: ["order ", "status "] }
  `,
  operand: textOrTexts.describe("The text starts with one of these. A blank at the end counts."),
  types: ["text"],
  folds: "start",
  compile: (operand, use) => anyWord(listOf(operand), use, (text, word) => text.startsWith(word)),
});
