import { scalar } from "../schema/pieces.ts";
import { defineOperator } from "./operator.ts";
import { equalsAny } from "./scalar-test.ts";
import { example } from "../schema/example.ts";

export const equals = defineOperator({
  example: example`
    conditions:
      - message.text: { equals: hello }
  `,
  operand: scalar.describe("The same value; texts in any case."),
  types: ["text", "number", "boolean"],
  folds: "whole",
  asWritten: true,
  compile: (operand, use) => equalsAny([operand], use),
});
