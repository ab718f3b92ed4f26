import type { OpeningHours } from "../../hours/opening-hours.ts";
import { isOpenAt } from "../../hours/opening-hours.ts";
import { textOrTexts } from "../schema/pieces.ts";
import { defineOperator, listOf } from "./operator.ts";

export const within = defineOperator({
  operand: textOrTexts.describe("The time lies within hours of the file."),
  types: ["time"],
  compile(operand, { hours: find }) {
    const all: OpeningHours[] = [];
    for (const name of listOf(operand)) {
      const found = find(name);
      if ("zone" in found) all.push(found);
      else return found;
    }
    return (value) => typeof value === "number" && all.some((hours) => isOpenAt(hours, value));
  },
});
