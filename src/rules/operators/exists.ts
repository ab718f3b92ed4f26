import * as z from "zod";
import { defineOperator } from "./operator.ts";
import { example } from "../schema/example.ts";

export const exists = defineOperator({
  example: example`
    conditions:
      - sender.location: { exists: true }
  `,
  operand: z.boolean().describe("Does the event have this at all?"),
  types: ["text", "list of texts", "number", "boolean", "time"],
  compile: (wanted) => (value) => (value !== undefined) === wanted,
});
