import { textOrTexts } from "../schema/pieces.ts";
import { defineOperator, listOf } from "./operator.ts";
import { anyWord } from "./text-test.ts";
import { example } from "../schema/example.ts";

export const contains = defineOperator({
  example: example`
    conditions:
      - message.text: { contains: refund }
  `,
  operand: textOrTexts.describe("This stands in the text, or is in the list."),
  types: ["text", "list of texts"],
  folds: "part",
  compile: (operand, use) => anyWord(listOf(operand), use, (text, word) => text.includes(word)),
});
