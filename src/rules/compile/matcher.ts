import type { FieldType } from "../../events/fields.ts";
import type { AskedTest } from "../evaluation/asked.ts";
import { fold } from "../../text/fold.ts";
import { handleOf } from "../../text/handle.ts";
import type { MatcherMap } from "../file-schema/rule-file.ts";
import { type OperandFault, type Operator, type OperatorUse } from "../operators/operator.ts";
import { OPERATORS } from "../operators/operators.ts";
import { ownMember } from "../../system/own-member.ts";

/** Compiled operator with its operand. */
export interface OperatorTest extends AskedTest {
  /** Operands as written in the rule, with their capital letters. */
  readonly written: AskedTest["operands"];
}

/** Describes a test for people: `contains_word refund|money back`. */
export function wantedOf({ operator, written }: OperatorTest): string {
  return `${operator} ${written.join("|")}`;
}

/** Reason why an operator can't be used on a field. */
export type OperatorFault = OperandFault & { readonly name: string };

/** Compiles every operator of `map` for a field of `type`. `names` resolves lists and hours. */
export function compileMatcher(
  type: FieldType,
  map: MatcherMap,
  names: Names = NO_NAMES,
): { readonly tests: readonly OperatorTest[]; readonly faults: readonly OperatorFault[] } {
  const tests: OperatorTest[] = [];
  const faults: OperatorFault[] = [];
  const { cased = false, ...operatorMap } = map;
  for (const [name, written] of Object.entries(operatorMap)) {
    const operator = ownMember(OPERATORS, name);
    if (written === undefined || !operator) continue;
    if (!operator.types.includes(type)) {
      faults.push(wrongOperator(name, type));
      continue;
    }
    const bareOperand = names.isHandle === true ? withoutAt(written, operator) : written;
    const operand = cased || !isText(type) ? bareOperand : folded(bareOperand, operator);
    const operands = scalarsOf(operand);
    const test = operands.includes("")
      ? NOTHING_LEFT
      : operator.compile(operand, { type, cased, ...names });
    if (typeof test === "function") {
      tests.push({ operator: name, cased, operands, written: scalarsOf(written), test });
    } else {
      faults.push({ name, ...test });
    }
  }
  return { tests, faults };
}

/** Lookup of the lists and opening hours that a test names, and whether the tested field holds handles. */
export type Names = Pick<OperatorUse, "list" | "hours" | "isHandle">;

/** Lookup without any lists or hours. */
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

function scalarsOf(operand: unknown): AskedTest["operands"] {
  const all: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  if (all.every(isScalar)) return all;
  throw new TypeError("an operand is a scalar or a list of them");
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

const NOTHING_LEFT: OperandFault = {
  mistake: {
    code: "empty-operand",
    message: "this text has only characters that comparisons ignore",
    help: "write visible characters, or add  cased: true  to compare the exact text",
  },
};

function isText(type: FieldType): boolean {
  return type === "text" || type === "list of texts";
}

/** Folds an operand in the same way as the text of the event. */
function folded(operand: unknown, { folds }: Operator): unknown {
  return folds === undefined ? operand : ofTexts(operand, (text) => ENDS[folds](fold(text)));
}

/** Trims an operand at the ends where it must match an end of the event's text, which is trimmed, too. */
const ENDS: Readonly<Record<NonNullable<Operator["folds"]>, (text: string) => string>> = {
  part: (text) => text,
  whole: (text) => text.trim(),
  start: (text) => (text.trim() === "" ? "" : text.trimStart()),
  end: (text) => (text.trim() === "" ? "" : text.trimEnd()),
};

/** Removes the `@` of handles, as in events: `ann` for `@ann`. Patterns and names of lists are unchanged. */
function withoutAt(operand: unknown, { folds }: Operator): unknown {
  return folds === undefined ? operand : ofTexts(operand, handleOf);
}

function ofTexts(operand: unknown, change: (text: string) => string): unknown {
  const one = (value: unknown): unknown => (typeof value === "string" ? change(value) : value);
  if (!Array.isArray(operand)) return one(operand);
  const all: readonly unknown[] = operand;
  const changed = all.map(one);
  return changed.some((value, index) => value !== all[index]) ? changed : all;
}

function wrongOperator(name: string, type: FieldType): OperatorFault {
  const fitting = Object.entries(OPERATORS).filter(([, { types }]) => types.includes(type));
  const help = `operators for a ${type}: ${fitting.map(([one]) => one).join(", ")}`;
  const message = `"${name}" is not an operator for a ${type}`;
  return { name, mistake: { code: "operator-not-for-type", message, help } };
}
