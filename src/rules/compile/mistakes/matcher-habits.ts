import type { Mistake } from "../../../config/problem.ts";
import type { FieldType } from "../../../events/fields.ts";
import { OPERATORS } from "../../operators/operators.ts";
import { meantWord } from "../../schema/other-words.ts";
import { inlineEntries, inlineYaml, isPlainMap } from "../habits/inline-yaml.ts";

/** A mistake in what stands under a field, and the key that it is about; without a key it is about the whole. */
interface MatcherHabit {
  readonly key?: string;
  readonly mistake: Mistake;
}

/** Operators of other tools, each with the form that has its meaning here. */
export function matcherHabit(
  field: string,
  type: FieldType,
  value: unknown,
): MatcherHabit | undefined {
  if (Array.isArray(value)) return { mistake: listAsValue(field, type, value) };
  if (typeof value === "object" && value !== null) {
    for (const [key, operand] of Object.entries(value)) {
      const asked = negatedOperator(key, operand);
      if (asked !== undefined) return { key, mistake: negation(field, key, asked) };
      if (isNoText(key, operand)) return { key, mistake: noText(field) };
    }
  }
  return type === "text" && isNoText("equals", value) ? { mistake: noText(field) } : undefined;
}

function listAsValue(field: string, type: FieldType, value: readonly unknown[]): Mistake {
  const operator = type === "list of texts" ? "contains_any" : "in";
  return {
    code: "wrong-type",
    message: "a field is compared with one value; several are the operand of an operator",
    help: `write  ${field}: { ${operator}: ${inlineYaml(value)} }`,
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

/** `not_contains`, `doesNotContain`, `is_not`, `!contains`. */
const NEGATION =
  /^(?:!|(?:do(?:es)?|is|are|was)?[_ -]?(?:not|n'?t)(?:[_ -]|(?=[A-Z])|$)|non?[_ -]|un(?=like$))(.*)$/i;
/** Negations that are words of their own. */
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

/** Operators with a negation in their names, by the form without it: `contains: spam`. */
function negatedOperator(key: string, operand: unknown): string | undefined {
  if (Object.hasOwn(OPERATORS, key)) return undefined;
  const base = negatedWord(key);
  if (base === undefined) return undefined;
  if (base === "" && isPlainMap(operand)) return inlineEntries(operand);
  const operator = base === "" ? "equals" : base;
  return `${Array.isArray(operand) && operator === "equals" ? "in" : operator}: ${inlineYaml(operand)}`;
}

/** The operator without the negation; an empty text where nothing else stands in the name. */
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

function negation(field: string, key: string, asked: string): Mistake {
  return {
    code: "unknown-key",
    message: `unknown key "${key}" among the operators: a condition is turned round as a whole`,
    help: `write  not: { ${field}: { ${asked} } }`,
  };
}
