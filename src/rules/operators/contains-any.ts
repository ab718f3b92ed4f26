import { texts } from "../schema/pieces.ts";
import { defineOperator } from "./operator.ts";
import { anyWord } from "./text-test.ts";
import { example } from "../schema/example.ts";

export const containsAny = defineOperator({
  example: example`
    conditions:
      - message.hashtags: { contains_any: [sale, offer] }
  `,
  operand: texts.describe("One of these stands in the text, or is in the list."),
  types: ["text", "list of texts"],
  folds: "part",
  compile: (operand, use) => anyWord(operand, use, (text, word) => text.includes(word)),
});
