import { durationMs } from "../../system/duration.ts";
import { duration } from "../schema/pieces.ts";
import { defineOperator } from "./operator.ts";
import { example } from "../schema/example.ts";

export const olderThan = defineOperator({
  example: example`
    conditions:
      - sender.created_at: { older_than: 180d }
  `,
  operand: duration.describe("The time lies further back than this."),
  types: ["time"],
  compile(operand) {
    const ms = durationMs(operand);
    return (value, { now }) => typeof value === "number" && now - value > ms;
  },
});
