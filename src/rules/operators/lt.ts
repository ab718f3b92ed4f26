import * as z from "zod";
import { defineOperator } from "./operator.ts";
import { example } from "../schema/example.ts";

export const lt = defineOperator({
  example: example`
    conditions:
      - sender.post_count: { lt: 1 }
  `,
  operand: z.number().describe("Less than this number."),
  types: ["number"],
  compile: (limit) => (value) => typeof value === "number" && value < limit,
});
