import type { Mistake } from "../config/problem.ts";
import { durationMs } from "./duration.ts";
import type { Evaluation } from "./evaluation.ts";
import type { FieldType, FieldValue } from "./fields.ts";
import { containsWord, fold } from "./fold.ts";
import { compilePattern, type Pattern } from "./pattern.ts";
import type { MatcherMap } from "./rule-file.ts";

/** Does the value pass? A value the event doesn't tell passes `exists: false` and nothing else. */
export type Test = (value: FieldValue, evaluation: Evaluation) => boolean;

/** One operator with its operand, compiled. */
export interface OperatorTest {
  readonly name: string;
  /** `contains_word refund|money back`, for people. */
  readonly wanted: string;
  readonly test: Test;
}

/** Why an operator can't be used so. `part` is the wrong text, `offset` where in it. */
export interface OperatorFault {
  readonly name: string;
  readonly mistake: Mistake;
  readonly part?: { readonly text: string; readonly offset: number; readonly length: number };
}

const TEXT_OPERATORS = [
  "equals",
  "in",
  "contains",
  "contains_word",
  "contains_any",
  "contains_all",
  "starts_with",
  "ends_with",
  "matches",
  "exists",
];

/** Which operators make sense for which type of field. */
const OPERATORS: Readonly<Record<FieldType, readonly string[]>> = {
  text: TEXT_OPERATORS,
  "list of texts": ["contains", "contains_any", "contains_all", "exists"],
  number: ["equals", "in", "gt", "gte", "lt", "lte", "exists"],
  boolean: ["equals", "exists"],
  time: ["older_than", "newer_than", "exists"],
};

/** Compiles every operator of `map` for a field of `type`. */
export function compileMatcher(
  type: FieldType,
  map: MatcherMap,
): { readonly tests: readonly OperatorTest[]; readonly faults: readonly OperatorFault[] } {
  const tests: OperatorTest[] = [];
  const faults: OperatorFault[] = [];
  const { cased = false, ...operators } = map;
  for (const [name, operand] of Object.entries(operators)) {
    if (operand === undefined) continue;
    const made = OPERATORS[type].includes(name)
      ? compileOperator(name, operand, type, cased)
      : wrongOperator(name, type);
    if ("mistake" in made) faults.push(made);
    else tests.push(made);
  }
  return { tests, faults };
}

function wrongOperator(name: string, type: FieldType): OperatorFault {
  const help = `a ${type} can be asked: ${OPERATORS[type].join(", ")}`;
  const message = `"${name}" can't be asked of a ${type}`;
  return { name, mistake: { code: "operator-not-for-type", message, help } };
}

type Operand = NonNullable<MatcherMap[keyof MatcherMap]>;

function compileOperator(
  name: string,
  operand: Operand,
  type: FieldType,
  cased: boolean,
): OperatorTest | OperatorFault {
  const operands = Array.isArray(operand) ? operand : [operand];
  const wanted = `${name} ${operands.join("|")}`;
  if (name === "exists") {
    return { name, wanted, test: (value) => (value !== undefined) === operand };
  }
  if (name === "older_than" || name === "newer_than") {
    return { name, wanted, test: ageTest(name, durationMs(String(operand))) };
  }
  if (name === "matches") return patternTest(operands.map(String), wanted);
  if (type === "number" || type === "boolean") {
    const wrong = operands.find((one) => typeof one !== type);
    if (wrong !== undefined) return wrongOperand(name, wrong, type);
    return { name, wanted, test: scalarTest(name, operands) };
  }
  const ready = operands.map((one) => (cased ? String(one) : fold(String(one))));
  return { name, wanted, test: textTest(name, ready, cased) };
}

function wrongOperand(name: string, wrong: unknown, type: FieldType): OperatorFault {
  const message = `${JSON.stringify(wrong)} is compared with a ${type}`;
  const help = `write a ${type}${type === "boolean" ? ": true or false" : ", without quotes"}`;
  return { name, mistake: { code: "operand-type", message, help } };
}

function ageTest(name: string, ms: number): Test {
  return (value, { now }) =>
    typeof value === "number" && (name === "older_than" ? now - value > ms : now - value < ms);
}

function patternTest(sources: readonly string[], wanted: string): OperatorTest | OperatorFault {
  const patterns: Pattern[] = [];
  for (const source of sources) {
    const pattern = compilePattern(source);
    if ("mistake" in pattern) {
      const { mistake, offset, length } = pattern;
      return { name: "matches", mistake, part: { text: source, offset, length } };
    }
    patterns.push(pattern);
  }
  const test: Test = (value) =>
    typeof value === "string" && patterns.some((pattern) => pattern.test(value));
  return { name: "matches", wanted, test };
}

function scalarTest(name: string, operands: readonly unknown[]): Test {
  const limit = Number(operands[0]);
  const compare = COMPARE[name];
  if (!compare) return (value) => value !== undefined && operands.includes(value);
  return (value) => typeof value === "number" && compare(value, limit);
}

const COMPARE: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  gt: (value, limit) => value > limit,
  gte: (value, limit) => value >= limit,
  lt: (value, limit) => value < limit,
  lte: (value, limit) => value <= limit,
};

type TextCompare = (text: string, word: string) => boolean;

const TEXT_COMPARE: Readonly<Record<string, TextCompare>> = {
  equals: (text, word) => text === word,
  in: (text, word) => text === word,
  contains: (text, word) => text.includes(word),
  contains_any: (text, word) => text.includes(word),
  contains_all: (text, word) => text.includes(word),
  contains_word: containsWord,
  starts_with: (text, word) => text.startsWith(word),
  ends_with: (text, word) => text.endsWith(word),
};

/** A list as operand means any of it, but for `contains_all`. A list as value is searched for equal members. */
function textTest(name: string, words: readonly string[], cased: boolean): Test {
  const compare: TextCompare = TEXT_COMPARE[name] ?? (() => false);
  const holds = (matches: (word: string) => boolean) =>
    name === "contains_all" ? words.every(matches) : words.some(matches);
  return (value, evaluation) => {
    if (typeof value === "string") {
      const text = cased ? value : evaluation.fold(value);
      return holds((word) => compare(text, word));
    }
    if (typeof value !== "object") return false;
    const members = cased ? value : value.map((one) => evaluation.fold(one));
    return holds((word) => members.includes(word));
  };
}
