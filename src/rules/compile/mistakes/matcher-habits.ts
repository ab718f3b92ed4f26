import type { Mistake } from "../../../config/problem.ts";
import type { FieldType } from "../../../events/fields.ts";
import { OPERATORS } from "../../operators/operators.ts";
import { meantWord } from "../../schema/other-words.ts";
import { inlineEntries, inlineYaml, isPlainMap } from "../habits/inline-yaml.ts";

/** Mistake in the value under a field. `key` is the wrong key; if absent, the whole value is wrong. */
interface MatcherHabit {
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
  if (typeof value === "object" && value !== null) {
    for (const [key, operand] of Object.entries(value)) {
      const positiveForm = negatedOperator(key, operand);
      if (positiveForm !== undefined) return { key, mistake: negation(field, key, positiveForm) };
      if (isNoText(key, operand)) return { key, mistake: noText(field) };
      const list = listNamedBy(operand);
      if (list !== undefined) return { key, mistake: namedList(field, list) };
    }
  }
  return type === "text" && isNoText("equals", value) ? { mistake: noText(field) } : undefined;
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
function negatedOperator(key: string, operand: unknown): string | undefined {
  if (Object.hasOwn(OPERATORS, key)) return undefined;
  const base = negatedWord(key);
  if (base === undefined) return undefined;
  if (base === "" && isPlainMap(operand)) return inlineEntries(operand);
  const operator = base === "" ? "equals" : base;
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
