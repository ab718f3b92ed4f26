import * as z from "zod";
import { defineOperator } from "./operator.ts";
import { example } from "../schema/example.ts";

export const gt = defineOperator({
  example: example`
    conditions:
      - sender.followers_count: { gt: 1000 }
  `,
  operand: z.number().describe("More than this number."),
  types: ["number"],
  compile: (limit) => (value) => typeof value === "number" && value > limit,
});
