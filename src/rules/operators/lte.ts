import * as z from "zod";
import { defineOperator } from "./operator.ts";

export const lte = defineOperator({
  operand: z.number().describe("This number or less."),
  types: ["number"],
  compile: (limit) => (value) => typeof value === "number" && value <= limit,
});
