import { durationMs } from "../../system/duration.ts";
import { duration } from "../schema/pieces.ts";
import { defineOperator } from "./operator.ts";
import { example } from "../schema/example.ts";

export const newerThan = defineOperator({
  example: example`
    conditions:
      - sender.created_at: { newer_than: 7d }
  `,
  operand: duration.describe("The time lies less far back than this."),
  types: ["time"],
  compile(operand) {
    const ms = durationMs(operand);
    return (value, { now }) => typeof value === "number" && now - value < ms;
  },
});
