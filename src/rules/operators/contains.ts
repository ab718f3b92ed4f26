import { textOrTexts } from "../schema/pieces.ts";
import { defineOperator, listOf } from "./operator.ts";
import { anyWord } from "./text-test.ts";

export const contains = defineOperator({
  operand: textOrTexts.describe("This stands in the text, or is in the list."),
  types: ["text", "list of texts"],
  folds: "part",
  compile: (operand, use) => anyWord(listOf(operand), use, (text, word) => text.includes(word)),
});
