import * as z from "zod";
import { defineOperator } from "./operator.ts";

export const exists = defineOperator({
  operand: z.boolean().describe("Does the event have this at all?"),
  types: ["text", "list of texts", "number", "boolean", "time"],
  compile: (wanted) => (value) => (value !== undefined) === wanted,
});
