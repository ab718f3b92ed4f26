import * as z from "zod";
import type { FieldType } from "../../events/fields.ts";
import type { AskedTest } from "../decide/asked.ts";
import { fold } from "../../text/fold.ts";
import type { MatcherMap } from "../schema/rule-file.ts";
import { scalar } from "../schema/pieces.ts";
import {
  type FieldTest,
  listOf,
  type OperandFault,
  type Operator,
  type OperatorUse,
} from "../operators/operator.ts";
import { OPERATORS } from "../operators/operators.ts";

/** One operator with its operand, compiled. */
export interface OperatorTest {
  readonly name: string;
  /** `contains_word refund|money back`, for people. */
  readonly wanted: string;
  readonly asked: AskedTest;
  readonly test: FieldTest;
}

/** Why an operator can't be used so. */
export type OperatorFault = OperandFault & { readonly name: string };

/** Compiles every operator of `map` for a field of `type`; what names stand for is found in `names`. */
export function compileMatcher(
  type: FieldType,
  map: MatcherMap,
  names: Names = NO_NAMES,
): { readonly tests: readonly OperatorTest[]; readonly faults: readonly OperatorFault[] } {
  const tests: OperatorTest[] = [];
  const faults: OperatorFault[] = [];
  const { cased = false, ...asked } = map;
  for (const [name, written] of Object.entries(asked)) {
    const operator = OPERATORS[name];
    if (written === undefined || !operator) continue;
    if (!operator.types.includes(type)) {
      faults.push(wrongOperator(name, type));
      continue;
    }
    const operand = cased || !isText(type) ? written : folded(written, operator);
    const operands = listOf(operandShape.parse(operand));
    const test = operands.includes("")
      ? NOTHING_LEFT
      : operator.compile(operand, { type, cased, ...names });
    if (typeof test === "function") {
      const wanted = `${name} ${listOf(operandShape.parse(written)).join("|")}`;
      tests.push({ name, wanted, asked: { operator: name, cased, operands, test }, test });
    } else {
      faults.push({ name, ...test });
    }
  }
  return { tests, faults };
}

/** What operators find by name. */
export type Names = Pick<OperatorUse, "list" | "hours">;

/** Where no rule file defines any. */
const NO_NAMES: Names = {
  list: () => ({
    mistake: {
      code: "unknown-list",
      message: "there are no lists here",
      help: "write the entries:  in: [first, second]",
    },
  }),
  hours: () => ({ mistake: { code: "unknown-hours", message: "there are no hours here" } }),
};

const operandShape = z.union([scalar, z.array(scalar)]);

const NOTHING_LEFT: OperandFault = {
  mistake: {
    code: "empty-operand",
    message: "nothing is left of this text once it is compared as people mean it",
    help: "write a word that can be seen, or add  cased: true  to compare it as it is written",
  },
};

function isText(type: FieldType): boolean {
  return type === "text" || type === "list of texts";
}

/** The operand as the event's text is folded; white space at its ends counts where only a part is sought. */
function folded(operand: unknown, { folds }: Operator): unknown {
  if (folds === undefined) return operand;
  if (Array.isArray(operand)) return operand.map((one: unknown) => foldOne(one, folds));
  return foldOne(operand, folds);
}

function foldOne(operand: unknown, folds: "part" | "whole"): unknown {
  if (typeof operand !== "string") return operand;
  return folds === "whole" ? fold(operand).trim() : fold(operand);
}

function wrongOperator(name: string, type: FieldType): OperatorFault {
  const fitting = Object.entries(OPERATORS).filter(([, { types }]) => types.includes(type));
  const help = `a ${type} can be asked: ${fitting.map(([one]) => one).join(", ")}`;
  const message = `"${name}" can't be asked of a ${type}`;
  return { name, mistake: { code: "operator-not-for-type", message, help } };
}
