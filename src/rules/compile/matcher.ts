import type { FieldType } from "../../events/fields.ts";
import type { MatcherMap } from "../schema/rule-file.ts";
import type { FieldTest, OperandFault } from "../operators/operator.ts";
import { OPERATORS } from "../operators/operators.ts";

/** One operator with its operand, compiled. */
export interface OperatorTest {
  readonly name: string;
  /** `contains_word refund|money back`, for people. */
  readonly wanted: string;
  readonly test: FieldTest;
}

/** Why an operator can't be used so. */
export interface OperatorFault extends OperandFault {
  readonly name: string;
}

/** Compiles every operator of `map` for a field of `type`. */
export function compileMatcher(
  type: FieldType,
  map: MatcherMap,
): { readonly tests: readonly OperatorTest[]; readonly faults: readonly OperatorFault[] } {
  const tests: OperatorTest[] = [];
  const faults: OperatorFault[] = [];
  const { cased = false, ...asked } = map;
  for (const [name, operand] of Object.entries(asked)) {
    const operator = OPERATORS[name];
    if (operand === undefined || !operator) continue;
    if (!operator.types.includes(type)) {
      faults.push(wrongOperator(name, type));
      continue;
    }
    const test = operator.compile(operand, { type, cased });
    if (typeof test === "function") {
      const operands: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
      tests.push({ name, wanted: `${name} ${operands.join("|")}`, test });
    } else {
      faults.push({ name, ...test });
    }
  }
  return { tests, faults };
}

function wrongOperator(name: string, type: FieldType): OperatorFault {
  const fitting = Object.entries(OPERATORS).filter(([, { types }]) => types.includes(type));
  const help = `a ${type} can be asked: ${fitting.map(([one]) => one).join(", ")}`;
  const message = `"${name}" can't be asked of a ${type}`;
  return { name, mistake: { code: "operator-not-for-type", message, help } };
}
