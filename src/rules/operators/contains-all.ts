import { texts } from "../schema/pieces.ts";
import { defineOperator } from "./operator.ts";
import { everyWord } from "./text-test.ts";
import { example } from "../schema/example.ts";

export const containsAll = defineOperator({
  example: example`
    conditions:
      - message.text: { contains_all: [order, late] }
  `,
  operand: texts.describe("All of these stand in the text, or are in the list."),
  types: ["text", "list of texts"],
  folds: "part",
  compile: (operand, use) => everyWord(operand, use, (text, word) => text.includes(word)),
});
