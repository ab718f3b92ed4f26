import type { OpeningHours } from "../../hours/opening-hours.ts";
import { isOpenAt } from "../../hours/opening-hours.ts";
import { textOrTexts } from "../schema/pieces.ts";
import { defineOperator, listOf } from "./operator.ts";
import { example } from "../example.ts";

export const within = defineOperator({
  example: example`
    version: 1
    hours: { office: { zone: Europe/Berlin, open: ["mon-fri 09:00-17:30"] } }
    rules:
      - id: office-hours
        triggers: [dm.received]
        conditions:
          - now: { within: office }
        actions: [{ reply_dm: A person answers soon. }]
  `,
  operand: textOrTexts.describe("The time is within hours of the file."),
  types: ["time"],
  compile(operand, { hours: find }) {
    const all: OpeningHours[] = [];
    for (const name of listOf(operand)) {
      const namedHours = find(name);
      if ("zone" in namedHours) all.push(namedHours);
      else return namedHours;
    }
    return (value) => typeof value === "number" && all.some((hours) => isOpenAt(hours, value));
  },
});
