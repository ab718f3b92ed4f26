import { textOrTexts } from "../schema/pieces.ts";
import { defineOperator, listOf } from "./operator.ts";
import { anyWord } from "./text-test.ts";

export const endsWith = defineOperator({
  operand: textOrTexts.describe("The text ends with one of these."),
  types: ["text"],
  folds: "whole",
  compile: (operand, use) => anyWord(listOf(operand), use, (text, word) => text.endsWith(word)),
});
