import type { FieldEvaluation } from "../lists/list-form.ts";
import { listOfHandles, type RuleList } from "../lists/rule-list.ts";
import { textOrTexts } from "../schema/pieces.ts";
import { defineOperator, listOf, type OperandFault } from "./operator.ts";
import { example } from "../example.ts";

export const inList = defineOperator({
  example: example`
    version: 1
    lists: { staff: [ann, ben] }
    rules:
      - id: colleagues
        triggers: [dm.received]
        conditions:
          - sender.username: { in_list: staff }
        actions: [{ reply_dm: Hello! }]
  `,
  operand: textOrTexts.describe("In a list of the file, or in a file with one entry per line."),
  types: ["text", "list of texts"],
  compile(operand, { cased, isHandle, list: find }) {
    if (cased) return CASED;
    const lists: RuleList[] = [];
    for (const name of listOf(operand)) {
      const namedList = find(name);
      if ("match" in namedList)
        lists.push(isHandle === true ? listOfHandles(namedList) : namedList);
      else return namedList;
    }
    const has = (text: string, evaluation: FieldEvaluation) =>
      lists.some((list) => list.has(text, evaluation));
    return Object.assign(
      (value: unknown, evaluation: FieldEvaluation): boolean => {
        if (typeof value === "string") return has(value, evaluation);
        return (
          Array.isArray(value) &&
          value.some((one: unknown) => typeof one === "string" && has(one, evaluation))
        );
      },
      { lists },
    );
  },
});

const CASED: OperandFault = {
  mistake: {
    code: "cased-list",
    message: '"cased" has no effect on "in_list": the list defines how it is compared',
    help: "write at the list:  normalize: []",
  },
};
