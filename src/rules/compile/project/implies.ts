import { asText } from "../../../text/as-text.ts";
/** Condition as written in the file: a map with a field, `any`, `all`, `not` or `if`. */
type Written = unknown;

/** Operators whose operand may be a list of alternatives, of which the text must pass one. */
const ANY_OF = ["equals", "in", "contains", "contains_word", "starts_with", "ends_with"];
/** Stricter operators by operator: a text that passes a stricter operator passes the weaker one (the key), too. */
const WEAKER: Readonly<Record<string, readonly string[]>> = {
  in: ["equals"],
  contains: ["contains_word", "starts_with", "ends_with"],
};

/** Returns whether every event that passes `conditions` certainly passes `others`, too. `false` means unknown. */
export function allImply(conditions: readonly Written[], others: readonly Written[]): boolean {
  return others.every((other) => conditions.some((one) => implies(one, other)));
}

function implies(one: Written, other: Written): boolean {
  // equal conditions imply each other, except random ones: each rule draws its own number
  if (sameText(one) === sameText(other)) return !DRAWS.test(sameText(one));
  const [key, value] = single(one);
  const [otherKey, otherValue] = single(other);
  if (key === "any")
    return listOf(value).length > 0 && listOf(value).every((x) => implies(x, other));
  if (otherKey === "all") return listOf(otherValue).every((x) => implies(one, x));
  if (otherKey === "any" && listOf(otherValue).some((x) => implies(one, x))) return true;
  if (key === "all") return listOf(value).some((x) => implies(x, other));
  if (key !== otherKey || CONNECTIVES.includes(key)) return false;
  return matcherImplies(matcherOf(value), matcherOf(otherValue));
}

/** Matches the calls of an expression that have a random result. */
export const DRAWS = /\b(?:random|chance)\s*\(/;

const CONNECTIVES = ["any", "all", "not", "if", ""];

type Matcher = Readonly<Record<string, unknown>>;

function matcherImplies(one: Matcher, other: Matcher): boolean {
  const { cased = false, ...operators } = one;
  const { cased: otherCased = false, ...otherAsked } = other;
  if (cased !== otherCased) return false;
  return Object.entries(otherAsked).every(([operator, operand]) => {
    if (sameText(operators[operator]) === sameText(operand)) return true;
    if (!ANY_OF.includes(operator)) return false;
    const wanted = new Set(wordsOf(operand, cased === true));
    return [operator, ...(WEAKER[operator] ?? [])].some((own) => {
      const words = wordsOf(operators[own], cased === true);
      // the stricter operators ignore spaces at the ends of a word, `contains` does not
      const isEven = own === operator || words.every((word) => word === word.trim());
      return isEven && words.length > 0 && words.every((word) => wanted.has(word));
    });
  });
}

/**
 * Returns features of a condition at any depth: its words, operators and texts. Conditions of one rule can imply those
 * of another rule only if both have a feature in common.
 */
export function featuresOf(condition: Written): readonly string[] {
  const [key, value] = single(condition);
  const own = sameText(condition);
  if (key === "any" || key === "all") return [own, ...listOf(value).flatMap(featuresOf)];
  if (CONNECTIVES.includes(key)) return [own];
  const { cased = false, ...operators } = matcherOf(value);
  const words = Object.entries(operators).flatMap(([operator, operand]) =>
    ANY_OF.includes(operator)
      ? wordsOf(operand, cased === true).map((word) => `${key} ${word}`)
      : [`${key} ${operator} ${sameText(operand)}`],
  );
  return [own, ...words];
}

function single(condition: Written): readonly [string, unknown] {
  if (typeof condition !== "object" || condition === null) return ["", undefined];
  const [first, ...more] = Object.entries(condition);
  return first === undefined || more.length > 0 ? ["", undefined] : first;
}

function matcherOf(value: unknown): Matcher {
  return isMatcher(value) ? value : { equals: value };
}

function isMatcher(value: unknown): value is Matcher {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function wordsOf(operand: unknown, cased: boolean): readonly string[] {
  if (operand === undefined) return [];
  return listOf(operand).map((one) => (cased ? asText(one) : asText(one).toLowerCase()));
}

/** Cache of conditions as texts: each rule is compared with up to a hundred others. */
const texts = new WeakMap<object, string>();

function sameText(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  let text = texts.get(value);
  if (text === undefined) texts.set(value, (text = JSON.stringify(value)));
  return text;
}
