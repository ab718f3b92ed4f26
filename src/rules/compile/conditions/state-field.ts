import type { Mistake } from "../../../config/problem.ts";
import type { FieldType } from "../../../events/fields.ts";
import { OPERATORS } from "../../operators/operators.ts";
import type { RuleField } from "../../schema/fields.ts";
import {
  isOwner,
  lacksPerson,
  stateMistake,
  type StateScope,
  valueUse,
} from "../../expression/state-names.ts";
import { ownMember } from "../../../system/own-member.ts";

/**
 * Creates the field `state.OWNER.NAME` of a matcher. Rules can store values of any type under the name, so the operators
 * decide the type. A value of another type fails the condition, like an absent value.
 *
 * @param writtenMatcher Value under the field: a map of operators, or a value that the field must equal.
 */
export function stateField(
  path: string,
  writtenMatcher: unknown,
  scope: StateScope,
): { readonly field: RuleField } | { readonly mistake: Mistake; readonly part: string } {
  const [, owner = "", name, ...deeper] = path.split(".");
  const mistake =
    stateMistake(owner, deeper.length > 0 ? undefined : name) ?? lacksPerson(owner, scope);
  if (mistake !== undefined || !isOwner(owner) || name === undefined) {
    const unknown = { code: "unknown-field", message: `there is no "${path}"` };
    return { mistake: mistake ?? unknown, part: isOwner(owner) ? path : owner };
  }
  const use = valueUse(owner, name, scope);
  return { field: { type: typeAsked(writtenMatcher), read: () => undefined, use } };
}

/** Returns number or time if the operator exists only for fields of this type; otherwise `undefined`. */
function onlyType(operator: string): FieldType | undefined {
  const [type, second] = ownMember(OPERATORS, operator)?.types ?? [];
  return second === undefined && (type === "number" || type === "time") ? type : undefined;
}

function typeAsked(writtenMatcher: unknown): FieldType {
  if (typeof writtenMatcher === "number") return "number";
  if (typeof writtenMatcher === "boolean") return "boolean";
  if (typeof writtenMatcher !== "object" || writtenMatcher === null) return "text";
  const [operator = "", operand]: readonly unknown[] = Object.entries(writtenMatcher)[0] ?? [];
  const one: unknown = Array.isArray(operand) ? operand[0] : operand;
  const isPlain = operator !== "exists" && (typeof one === "number" || typeof one === "boolean");
  return onlyType(String(operator)) ?? (isPlain ? typeAsked(one) : "text");
}
