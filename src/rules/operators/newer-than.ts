import { durationMs } from "../../system/duration.ts";
import { duration } from "../schema/pieces.ts";
import { defineOperator } from "./operator.ts";

export const newerThan = defineOperator({
  operand: duration.describe("The time lies less far back than this."),
  types: ["time"],
  compile(operand) {
    const ms = durationMs(operand);
    return (value, { now }) => typeof value === "number" && now - value < ms;
  },
});
