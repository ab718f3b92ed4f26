import type { Verdict } from "../../rules/decide.ts";

type Clause = NonNullable<Verdict["clause"]>;

/** Describes the operands of an operator; several operands are joined by "or". */
const WANTED: Readonly<Record<string, (operands: readonly string[]) => string>> = {
  equals: (operands) => quoted(operands),
  in: (operands) => quoted(operands),
  in_list: ([list = ""]) => `an entry of the list ${list}`,
  contains: (operands) => `the text ${quoted(operands)}`,
  contains_word: (operands) => `the ${isOneWord(operands) ? "word" : "words"} ${quoted(operands)}`,
  contains_any: (operands) => `the text ${quoted(operands)}`,
  contains_all: (operands) => `the texts ${quoted(operands, "and")}`,
  starts_with: (operands) => `${quoted(operands)} at the start`,
  ends_with: (operands) => `${quoted(operands)} at the end`,
  matches: (operands) => `the pattern ${operands.join("|")}`,
  gt: ([limit]) => `more than ${limit}`,
  gte: ([limit]) => `${limit} or more`,
  lt: ([limit]) => `less than ${limit}`,
  lte: ([limit]) => `${limit} or less`,
  older_than: ([age]) => `a time more than ${age} ago`,
  newer_than: ([age]) => `a time less than ${age} ago`,
  within: (operands) => `a time within the hours ${quoted(operands)}`,
  exists: ([wanted]) => (wanted === "true" ? "a value" : "no value"),
};

const ONE_TEST = /^(?<field>[a-z_]+(?:\.[a-z_]+)*) (?<operator>[a-z_]+) (?<operands>.+)$/s;
const ANY_OF = "any of: ";
const MAX_VALUE_CHARS = 120;
/** Largest time that a date can have, in milliseconds since the epoch. */
const MAX_TIME_MS = 8.64e15;

/**
 * Describes a failed clause in one sentence: `wants the word "human" or "agent", the message is "hello"`.
 *
 * Tests of one field that are joined by `any` become one sentence. Expressions and other clauses keep their own text.
 */
export function clauseInWords({ path, wanted, actual, error }: Clause): string {
  if (error !== undefined) return `${wanted}: ${error}`;
  if (wanted.startsWith("not: ")) return `wants ${wanted}; that is true`;
  const test = wanted.startsWith(ANY_OF) ? anyTest(wanted) : pathTest(path, wanted);
  const value = actualInWords(wanted, actual);
  if (test === undefined) return `wants ${wanted}, there is ${value}`;
  const subject = /^(?<noun>message|post)\.text$/.exec(test.field)?.groups?.["noun"];
  const name = subject === undefined ? test.field : `the ${subject}`;
  return `wants ${test.words}, ${name} ${actual === undefined ? "has no value" : `is ${value}`}`;
}

/** Formats the value that a clause compared. A time, which is in milliseconds since the epoch, becomes ISO 8601. */
function actualInWords(wanted: string, actual: unknown): string {
  const isTime = /(?:^| )(?:older_than|newer_than|within) /.test(wanted);
  if (!isTime || typeof actual !== "number" || Math.abs(actual) > MAX_TIME_MS) {
    return valueInWords(actual);
  }
  return new Date(actual).toISOString();
}

interface TestInWords {
  readonly field: string;
  readonly operator: string;
  readonly words: string;
}

/**
 * Parses a clause's test of a field. Undefined for an expression (`a.b in c`), whose path does not end with the field.
 */
function pathTest(path: string, wanted: string): TestInWords | undefined {
  const test = oneTest(wanted);
  return test !== undefined && path.endsWith(`.${test.field}`) ? test : undefined;
}

/**
 * Parses alternatives joined by `any`, if all test the same field. A test with `in` gives undefined: without a path for
 * each test, it can't be distinguished from an expression.
 */
function anyTest(wanted: string): TestInWords | undefined {
  const tests = wanted.slice(ANY_OF.length).split("; ").map(oneTest);
  const [first] = tests;
  const isOneField = tests.every((test) => test?.field === first?.field && test?.operator !== "in");
  if (first === undefined || !isOneField) return undefined;
  return { ...first, words: tests.map((test) => test?.words).join(", or ") };
}

function oneTest(wanted: string): TestInWords | undefined {
  const { field, operator = "", operands = "" } = ONE_TEST.exec(wanted)?.groups ?? {};
  if (field === undefined || !Object.hasOwn(WANTED, operator)) return undefined;
  // `field operator a, operator b` tests the field twice, so the text is not a single test
  if (Object.keys(WANTED).some((other) => operands.includes(`, ${other} `))) return undefined;
  const words = WANTED[operator]?.(operands.split("|"));
  return words === undefined ? undefined : { field, operator, words };
}

/** Formats a value as JSON, shortened to 120 characters. */
export function valueInWords(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS - 3)}…"` : text;
}

function quoted(operands: readonly string[], joint = "or"): string {
  const texts = operands.map((operand) => JSON.stringify(operand));
  const last = texts.pop() ?? '""';
  return texts.length === 0 ? last : `${texts.join(", ")} ${joint} ${last}`;
}

function isOneWord(operands: readonly string[]): boolean {
  return operands.every((operand) => !operand.includes(" "));
}
