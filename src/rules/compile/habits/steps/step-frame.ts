import { ownMember } from "../../../../system/own-member.ts";
import { isPlainMap, type WrittenMap } from "../plain-map.ts";
import type { StepSurroundings } from "./step-surroundings.ts";

export const FRAME: ReadonlySet<string> = new Set(
  "id name if enabled timeout retry on_error continue_on_error".split(" "),
);

export const FRAME_WORDS: Readonly<Record<string, string>> = {
  when: "if",
  condition: "if",
  conditions: "if",
  unless: "unless",
  continueOnFail: "continue_on_error",
  continueOnError: "continue_on_error",
  "continue-on-error": "continue_on_error",
};

/** Splits the keys of a step: keys that every step can have, such as `id` and `if` (`frame`), and all other keys. */
export function parted(
  map: WrittenMap,
  around: StepSurroundings,
): { readonly frame: WrittenMap; readonly verbs: WrittenMap } {
  const frame: Record<string, unknown> = {};
  const verbs: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(map)) {
    const own = ownMember(FRAME_WORDS, key) ?? key;
    const hasOther = Object.keys(map).some((one) => one !== key && !FRAME.has(one));
    if (own === "if" || own === "unless") {
      const test = expressionOf(value, around);
      frame["if"] = test === undefined ? value : own === "if" ? test : `!${bracketed(test)}`;
    } else if (FRAME.has(own) && !(own === "name" && !hasOther)) frame[own] = value;
    else verbs[own] = value;
  }
  return { frame, verbs };
}

function bracketed(test: string): string {
  return /^[\w.]+(?:\([^()]*\))?$/.test(test) ? test : `(${test})`;
}

/**
 * Converts conditions of another tool to one expression. A text is translated; conditions in a list are joined with
 * `&&`.
 */
export function expressionOf(value: unknown, { conditions }: StepSurroundings): string | undefined {
  if (typeof value === "string") return conditions.expression(value);
  const list = conditions.listOf(value);
  const parts = list?.map(asExpression);
  return parts?.every((part) => part !== undefined) === true ? parts.join(" && ") : undefined;
}

function asExpression(condition: unknown): string | undefined {
  const [first, second] = isPlainMap(condition) ? Object.entries(condition) : [];
  if (first === undefined || second !== undefined) return undefined;
  const [field, wantedValue] = first;
  if (field === "if") return typeof wantedValue === "string" ? wantedValue : undefined;
  if (wantedValue === true) return field;
  if (wantedValue === false) return `!${field}`;
  if (typeof wantedValue === "string") return `${field}.same(${JSON.stringify(wantedValue)})`;
  if (!isPlainMap(wantedValue)) return undefined;
  const [only, other] = Object.entries(wantedValue);
  if (only === undefined || other !== undefined) return undefined;
  const [operator, operand] = only;
  if (typeof operand === "string")
    return operator === "contains_word"
      ? `${field}.has_word(${JSON.stringify(operand)})`
      : undefined;
  const sign = { gt: ">", gte: ">=", lt: "<", lte: "<=" }[operator];
  return sign === undefined || typeof operand !== "number"
    ? undefined
    : `${field} ${sign} ${operand}`;
}
