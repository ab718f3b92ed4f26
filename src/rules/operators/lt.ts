import * as z from "zod";
import { defineOperator } from "./operator.ts";

export const lt = defineOperator({
  operand: z.number().describe("Less than this number."),
  types: ["number"],
  compile: (limit) => (value) => typeof value === "number" && value < limit,
});
