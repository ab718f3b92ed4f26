import type { Mistake } from "../../../config/problem.ts";
import type { FieldType } from "../../../events/fields.ts";
import { OPERATORS } from "../../operators/operators.ts";
import { meantWord } from "../../schema/other-words.ts";
import { DURATION } from "../../../system/duration.ts";
import { inlineEntries, inlineYaml } from "./inline-yaml.ts";
import { timesBetween } from "./time-ranges.ts";
import { isPlainMap } from "./plain-map.ts";

/** Mistake in the value under a field. `key` is the wrong key; if absent, the whole value is wrong. */
export interface MatcherHabit {
  readonly key?: string;
  readonly mistake: Mistake;
}

/** Finds an operator of another tool, and proposes the form with the same meaning here. */
export function matcherHabit(
  field: string,
  type: FieldType,
  value: unknown,
): MatcherHabit | undefined {
  if (Array.isArray(value)) return { mistake: listAsValue(field, type, value) };
  if (type === "list of texts" && typeof value === "string")
    return { mistake: memberOf(field, value) };
  if (typeof value === "object" && value !== null) {
    for (const [key, operand] of Object.entries(value)) {
      const single = operatorHabit(field, type, key, operand);
      if (single !== undefined) return { key, mistake: single };
      const positiveForm = negatedOperator(key, operand, type);
      if (positiveForm !== undefined) return { key, mistake: negation(field, key, positiveForm) };
      if (isNoText(key, operand)) return { key, mistake: noText(field) };
      const list = listNamedBy(operand);
      if (list !== undefined) return { key, mistake: namedList(field, list) };
    }
  }
  return type === "text" && isNoText("equals", value) ? { mistake: noText(field) } : undefined;
}

const SIGNS: Readonly<Record<string, string>> = {
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  equals: "==",
};

/** Returns the mistake of an operator that the type of the field does not have, with the form that it has. */
function operatorHabit(
  field: string,
  type: FieldType,
  key: string,
  operand: unknown,
): Mistake | undefined {
  if (key === "equals" && Array.isArray(operand)) return listAsValue(field, type, operand);
  const [from, to, third]: readonly unknown[] = Array.isArray(operand) ? operand : [];
  if (/^(?:between|range)$/.test(key) && to !== undefined && third === undefined)
    return wrongForm("a range has a lower and an upper bound", rangeOf(field, type, from, to));
  const isList = type === "list of texts";
  if (isList && key === "equals" && typeof operand === "string") return memberOf(field, operand);
  if (type === "time" && typeof operand === "string" && DURATION.test(operand)) {
    const operator = key.startsWith("l") ? "newer_than" : "older_than";
    if (/^[lg]te?$/.test(key))
      return wrongForm("an age has operators of its own", `${field}: { ${operator}: ${operand} }`);
  }
  if (type === "time" && /^[lg]te?$/.test(key)) {
    const isLower = key.startsWith("g");
    const bounds = [isLower ? operand : undefined, isLower ? undefined : operand] as const;
    const sign = SIGNS[key] ?? "";
    const form = timesBetween(field, bounds, [sign, sign]);
    if (form !== undefined) return wrongForm("a time is compared by an expression", form);
  }
  if (isList && SIGNS[key] !== undefined && typeof operand === "number")
    return wrongForm("a list is counted by an expression", sizeOf(field, key, operand));
  if ((isList || type === "text") && /^(?:length|size|len|count)$/.test(key)) {
    const [word, number] = (isPlainMap(operand) && Object.entries(operand)[0]) || [
      "equals",
      operand,
    ];
    const sign = SIGNS[word] === undefined ? (meantWord("operator", word) ?? "") : word;
    if (SIGNS[sign] !== undefined && typeof number === "number")
      return wrongForm("a length is compared by an expression", sizeOf(field, sign, number));
  }
  return undefined;
}

/** Returns the form of a range for the type of the field. State has the type that its operators need. */
function rangeOf(field: string, type: FieldType, from: unknown, to: unknown): string {
  const both = (value: string) =>
    `if: ${value} >= ${JSON.stringify(from)} && ${value} <= ${JSON.stringify(to)}`;
  const areNumbers = typeof from === "number" && typeof to === "number";
  if (type === "list of texts") return both(`${field}.size()`);
  if (type === "text" && !field.startsWith("state."))
    return both(areNumbers ? `number(${field})` : field);
  const mayBeTime = type === "time" || (type === "text" && !areNumbers);
  const times = mayBeTime ? timesBetween(field, [from, to], [">=", "<="]) : undefined;
  return times ?? `${field}: { gte: ${inlineYaml(from)}, lte: ${inlineYaml(to)} }`;
}

function sizeOf(field: string, operator: string, operand: number): string {
  return `if: ${field}.size() ${SIGNS[operator] ?? "=="} ${operand}`;
}

function wrongForm(message: string, form: string): Mistake {
  return { code: "wrong-type", message, help: `write  ${form}` };
}

function memberOf(field: string, text: string): Mistake {
  return wrongForm(
    "a list of texts contains a text; it is not equal to one",
    `${field}: { contains: ${inlineYaml(text)} }`,
  );
}

function listAsValue(field: string, type: FieldType, value: readonly unknown[]): Mistake {
  const operator = type === "list of texts" ? "contains_any" : "in";
  return {
    code: "wrong-type",
    message: "a field is compared with one value; several values need an operator",
    help: `write  ${field}: { ${operator}: ${inlineYaml(value)} }`,
  };
}

/** Returns the name in `{ list: slurs }`, `lists.slurs` or `${{ lists.slurs }}`; undefined for other operands. */
function listNamedBy(operand: unknown): string | undefined {
  if (isPlainMap(operand)) {
    const [[key, name] = [], second] = Object.entries(operand);
    const isList = (key === "list" || key === "in_list") && second === undefined;
    return isList && typeof name === "string" ? name : undefined;
  }
  if (typeof operand !== "string") return undefined;
  return /^(?:\$\{\{ *)?lists\.(\w+)(?: *\}\})?$/.exec(operand.trim())?.[1];
}

function namedList(field: string, list: string): Mistake {
  return {
    code: "wrong-type",
    message:
      "an operator is compared with its operand; a list of the file has an operator of its own",
    help: `write  ${field}: { in_list: ${list} }`,
  };
}

function isNoText(operator: string, operand: unknown): boolean {
  return operator === "equals" && typeof operand === "string" && operand.trim() === "";
}

function noText(field: string): Mistake {
  return {
    code: "empty-operand",
    message: "this text is empty",
    help: `for an event without text write  ${field}: { matches: '^$' }`,
  };
}

/** Matches `not_contains`, `doesNotContain`, `is_not`, `!contains`. */
const NEGATION =
  /^(?:!|(?:do(?:es)?|is|are|was)?[_ -]?(?:not|n'?t)(?:[_ -]|(?=[A-Z])|$)|non?[_ -]|un(?=like$))(.*)$/i;
/** Words of other tools for a negated operator, each with the operator that it negates. */
const NEGATED_WORDS: Readonly<Record<string, string>> = {
  neq: "equals",
  ne: "equals",
  "!=": "equals",
  "!==": "equals",
  "<>": "equals",
  not_equals: "equals",
  nequals: "equals",
  inequals: "equals",
  ncontains: "contains",
  incontains: "contains",
  ninside: "in",
  nin: "in",
  notin: "in",
  none_of: "in",
  excludes: "contains",
  exclude: "contains",
  excluding: "contains",
  without: "contains",
  lacks: "contains",
};

/** Translates a negated operator into the one to put under `not`: `contains: spam` for `not_contains: spam`. */
export function negatedOperator(
  key: string,
  operand: unknown,
  type: FieldType,
): string | undefined {
  if (Object.hasOwn(OPERATORS, key)) return undefined;
  const base = negatedWord(key);
  if (base === undefined) return undefined;
  if (base === "" && isPlainMap(operand)) return inlineEntries(operand);
  const operator = base === "" ? "equals" : base;
  if (type === "list of texts" && /^(?:equals|in)$/.test(operator))
    return `${Array.isArray(operand) ? "contains_any" : "contains"}: ${inlineYaml(operand)}`;
  return `${Array.isArray(operand) && operator === "equals" ? "in" : operator}: ${inlineYaml(operand)}`;
}

/** Returns the operator that a negated name negates: `contains` for `not_contains`; empty for a bare `not`. */
function negatedWord(key: string): string | undefined {
  if (Object.hasOwn(NEGATED_WORDS, key)) return NEGATED_WORDS[key];
  const word = NEGATION.exec(key)?.[1];
  if (word === undefined || word === "") return word;
  const snake = word.replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase();
  const name = [snake, `${snake}s`, `${snake}es`, snake.replace(/^(start|end)_/, "$1s_")].find(
    (one) => Object.hasOwn(OPERATORS, one),
  );
  return name ?? meantWord("operator", snake);
}

function negation(field: string, key: string, positiveForm: string): Mistake {
  return {
    code: "unknown-key",
    message: `unknown key "${key}" among the operators: put "not" around the whole condition`,
    help: `write  not: { ${field}: { ${positiveForm} } }`,
  };
}
