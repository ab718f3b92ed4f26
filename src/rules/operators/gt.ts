import * as z from "zod";
import { defineOperator } from "./operator.ts";

export const gt = defineOperator({
  operand: z.number().describe("More than this number."),
  types: ["number"],
  compile: (limit) => (value) => typeof value === "number" && value > limit,
});
