import type { Verdict } from "../../rules/decide.ts";

type Clause = NonNullable<Verdict["clause"]>;

/** Returns the words for an operator's operands; several are joined by "or". */
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

const ONE_TEST = /^(?<field>[a-z_]+(?:\.[a-z_]+)+) (?<operator>[a-z_]+) (?<operands>.+)$/s;
const MAX_VALUE_CHARS = 120;

/**
 * Puts a failed clause into a sentence: `wants the word "human" or "agent", the message is "hello"`.
 *
 * A clause of several tests, and an expression, keeps its own text: `wants any of: …`.
 */
export function clauseInWords({ wanted, actual, error }: Clause): string {
  if (error !== undefined) return `${wanted}: ${error}`;
  const { field, operator = "", operands = "" } = ONE_TEST.exec(wanted)?.groups ?? {};
  const words = WANTED[operator]?.(operands.split("|"));
  // A second operator of the same field follows a comma.
  const isAlone = !Object.keys(WANTED).some((other) => operands.includes(`, ${other} `));
  if (field === undefined || words === undefined || !isAlone) {
    return `wants ${wanted}, there is ${valueInWords(actual)}`;
  }
  const subject = /^(?<noun>message|post)\.text$/.exec(field)?.groups?.["noun"];
  const name = subject === undefined ? field : `the ${subject}`;
  return `wants ${words}, ${name} ${actual === undefined ? "has no value" : `is ${valueInWords(actual)}`}`;
}

/** Returns a value as JSON, shortened to 120 characters. */
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
