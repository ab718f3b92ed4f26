import { containsWord as standsIn } from "../../text/words.ts";
import { textOrTexts } from "../schema/pieces.ts";
import { defineOperator, listOf } from "./operator.ts";
import { anyWord } from "./text-test.ts";
import { example } from "../schema/example.ts";

export const containsWord = defineOperator({
  example: example`
    conditions:
      - message.text: { contains_word: [hours, when are you open] }
  `,
  operand: textOrTexts.describe("One of these stands in the text as whole words."),
  types: ["text"],
  folds: "whole",
  compile: (operand, use) => anyWord(listOf(operand), use, standsIn),
});
