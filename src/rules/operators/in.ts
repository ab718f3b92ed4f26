import * as z from "zod";
import { scalar } from "../schema/pieces.ts";
import { defineOperator } from "./operator.ts";
import { equalsAny } from "./scalar-test.ts";
import { example } from "../schema/example.ts";

export const isIn = defineOperator({
  example: example`
    conditions:
      - message.text: { in: [hello, hi, hey] }
  `,
  operand: z.array(scalar).min(1, "this list is empty").describe("Equal to one of a list."),
  types: ["text", "number"],
  folds: "whole",
  asWritten: true,
  compile: (operand, use) => equalsAny(operand, use),
});
