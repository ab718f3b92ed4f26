import * as z from "zod";
import { defineOperator } from "./operator.ts";
import { example } from "../schema/example.ts";

export const lte = defineOperator({
  example: example`
    conditions:
      - sender.following_count: { lte: 5 }
  `,
  operand: z.number().describe("This number or less."),
  types: ["number"],
  compile: (limit) => (value) => typeof value === "number" && value <= limit,
});
