import type { ASTNode } from "@marcbachmann/cel-js";
import type { Mistake } from "../../../config/problem.ts";
import { withoutNonEmpty } from "./empty-captures.ts";
import { inside } from "../syntax-tree.ts";
import { pathOf } from "./typed-form.ts";

/** Past participles of arithmetic operators, for messages. */
const DEEDS: Readonly<Record<string, string>> = {
  "+": "added",
  "-": "subtracted",
  "*": "multiplied",
  "/": "divided",
  "%": "divided",
};

const NUMBERS: ReadonlySet<string> = new Set(["int", "uint", "double"]);

/**
 * Returns the mistake of an operator whose operands have types that don't fit, with the correction.
 *
 * @param node Operator with its operands.
 * @param types CEL types of the operands.
 * @param source Text of the whole expression.
 */
export function operandMistake(
  node: ASTNode,
  [left, right]: readonly [string, string],
  source: string,
): Mistake {
  const [first, second] = inside(node);
  const deed = Object.hasOwn(DEEDS, node.op) ? DEEDS[node.op] : undefined;
  const [one, other] = [kindName(left), kindName(right)];
  const message =
    deed === undefined
      ? `${one} can't be compared with ${other}`
      : `${one} and ${other} can't be ${deed}`;
  const said = (operand: ASTNode): Operand => operandOf(operand, source);
  const help =
    first === undefined || second === undefined
      ? undefined
      : left === "string" && NUMBERS.has(right)
        ? helpForTextAndNumber(node.op, said(first), said(second))
        : right === "string" && NUMBERS.has(left)
          ? helpForTextAndNumber(node.op, said(second), said(first))
          : helpForPair(node, said(first), said(second), [left, right]);
  return { code: "operand-types", message, help: help ?? helpFor(left, right, deed) };
}

interface Operand {
  /** Source of the operand, as its author wrote it. */
  readonly source: string;
  readonly node: ASTNode;
  /** Source of X in `X.orValue(…)`. */
  readonly optionalSource?: string;
}

function operandOf(node: ASTNode, source: string): Operand {
  const written = (one: ASTNode): string =>
    withoutNonEmpty(source.slice(one.start, one.end))
      .replaceAll(".?", ".")
      .replaceAll(/\b(get\w+)In\(/g, "$1(");
  const isAsked = node.op === "rcall" && node.args[0] === "orValue";
  return { source: written(node), node, ...(isAsked && { optionalSource: written(node.args[1]) }) };
}

/** Returns the help for a difference of two times, and for a text that is searched in a text or in numbers. */
function helpForPair(
  { op }: ASTNode,
  first: Operand,
  second: Operand,
  [left, right]: readonly [string, string],
): string | undefined {
  if (op === "in" && first.node.op === "value" && right === "list<string>") {
    return `write  "${first.source}" in ${second.source}`;
  }
  if (left !== "string") return undefined;
  const operands = [pathOf(first.node), pathOf(second.node)];
  if (op === "-" && operands.every((one) => /^now$|_at$|\.time$/.test(one))) {
    return `write  timestamp(${first.source}) - timestamp(${second.source})`;
  }
  if (op !== "in") return undefined;
  if (right === "string") return `write  ${second.source}.contains(${first.source})`;
  return second.node.op === "list" && /^list<(?:int|double)>$/.test(right)
    ? `write the numbers as texts:  ${second.source.replaceAll(/\d+/g, '"$&"')}`
    : undefined;
}

function helpForTextAndNumber(sign: string, text: Operand, number: Operand): string {
  const literal = text.node.op === "value" ? String(text.node.args) : undefined;
  if (text.optionalSource !== undefined) return `write  ${text.optionalSource}.orValue(0)`;
  if (sign !== "+" && literal !== undefined && /^-?\d+(?:\.\d+)?$/.test(literal)) {
    return `write the number without quotes: ${literal}`;
  }
  const isEquality = sign === "==" || sign === "!=";
  const isFixed = number.node.op === "value";
  if (isEquality && isFixed) return `write the number as a text:  "${number.source}"`;
  const isRead = pathOf(text.node) !== "";
  if (isRead && (sign !== "+" || isFixed)) {
    return `write  number(${text.source})  to convert it; the conversion fails if the text has no number`;
  }
  if (sign === "+" || isEquality) {
    return number.optionalSource !== undefined && isEquality
      ? `write  ${number.optionalSource}.orValue("")`
      : `convert the number to a text:  string(${number.source})`;
  }
  return `convert the text to a number:  number(${text.source})`;
}

function helpFor(left: string, right: string, deed: string | undefined): string {
  const [one, other] = [kindName(left), kindName(right)];
  if (deed === undefined) {
    return one === other
      ? `only texts and numbers have an order`
      : `compare ${one} with ${one}, or ${other} with ${other}`;
  }
  return "texts can be added, lists can be added, and numbers can be calculated with";
}

function kindName(type: string): string {
  const bare = type.replace(/^dyn<(.*)>$/, "$1");
  if (bare === "string") return "a text";
  if (NUMBERS.has(bare)) return "a number";
  if (bare === "bool") return "true or false";
  if (bare.startsWith("list")) return "a list";
  return bare.startsWith("map") || bare.endsWith("_fields") ? "a map" : bare;
}
