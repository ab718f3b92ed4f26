import * as z from "zod";
import { defineOperator } from "./operator.ts";

export const gte = defineOperator({
  operand: z.number().describe("This number or more."),
  types: ["number"],
  compile: (limit) => (value) => typeof value === "number" && value >= limit,
});
