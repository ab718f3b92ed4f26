import * as z from "zod";
import { defineOperator } from "./operator.ts";
import { example } from "../schema/example.ts";

export const gte = defineOperator({
  example: example`
    conditions:
      - sender.followers_count: { gte: 1000 }
  `,
  operand: z.number().describe("This number or more."),
  types: ["number"],
  compile: (limit) => (value) => typeof value === "number" && value >= limit,
});
