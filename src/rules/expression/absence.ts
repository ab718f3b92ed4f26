import type { ASTNode } from "@marcbachmann/cel-js";
import type { FieldType } from "../../events/fields.ts";
import type { ExpressionFault } from "./expression-fault.ts";
import type { RuleScope } from "./scope.ts";
import { resultField } from "./result-object.ts";
import { isStateValue } from "./state-names.ts";
import { inside, visit } from "./syntax-tree.ts";
import type { KnownTypes } from "./value-types/known-types.ts";

/** Returns a fault for each optional field that an expression reads without testing whether it is present. */
export function unaskedFields(
  node: ASTNode,
  scope: RuleScope,
  { lookedUp }: Pick<KnownTypes, "lookedUp">,
): ExpressionFault[] {
  const faults: ExpressionFault[] = [];
  const counted = typesBeside(node);
  eachRead(node, learnedFields, (one, presentFields) => {
    const path = pathOf(one);
    if (path === undefined || presentFields.has(path) || !mayBeAbsent(path)) return false;
    const field = scope.fields.get(path) ?? resultField(path, lookedUp);
    faults.push(notAsked(one, path, field?.type ?? counted.get(one) ?? "text"));
    return true;
  });
  return faults;

  function mayBeAbsent(path: string): boolean {
    const field = scope.fields.get(path) ?? resultField(path, lookedUp);
    const isUndeclared = isStateValue(path) && scope.declared?.has(path) !== true;
    return field?.mayBeAbsent === true || isUndeclared;
  }
}

/** Returns the names that are certainly present if a test without `&&`, `||` and `!` has the value `outcome`. */
export type Learned = (test: ASTNode, outcome: boolean) => readonly string[];

/**
 * Calls `see` with each part of an expression that is evaluated, and with the names that a test before it has shown to
 * be present, such as `has(a.b) && …`. If `see` returns true, the parts inside are skipped.
 */
export function eachRead(
  node: ASTNode,
  learnedBy: Learned,
  see: (node: ASTNode, present: ReadonlySet<string>) => boolean,
): void {
  look(node, new Set());

  function look(one: ASTNode, present: ReadonlySet<string>): void {
    if (one.op === "call" && one.args[0] === "has") return;
    const after = (test: ASTNode, outcome: boolean) =>
      new Set([...present, ...learned(test, outcome, learnedBy)]);
    if (one.op === "&&" || one.op === "||") {
      const [left, right] = one.args;
      look(left, present);
      look(right, after(left, one.op === "&&"));
      return;
    }
    if (one.op === "?:") {
      const [test, yes, no] = one.args;
      look(test, present);
      look(yes, after(test, true));
      look(no, after(test, false));
      return;
    }
    if (see(one, present)) return;
    for (const child of inside(one)) look(child, present);
  }
}

/** Returns the types that values must have for the arithmetic and comparisons of an expression. */
export function typesBeside(node: ASTNode): ReadonlyMap<ASTNode, FieldType> {
  const typesByNode = new Map<ASTNode, FieldType>();
  visit(node, (one) => {
    if (one.op === "!_") typesByNode.set(one.args, "boolean");
    if (one.op === "&&" || one.op === "||")
      for (const side of one.args) typesByNode.set(side, "boolean");
    if (one.op === "[]" && typeof one.args[1] !== "string" && one.args[1].op !== "value")
      typesByNode.set(one.args[0], "list of texts");
    if (one.op === "in") typesByNode.set(one.args[1], "list of texts");
    if (!RECKONING.has(one.op) || !Array.isArray(one.args)) return;
    const [left, right] = one.args as readonly [ASTNode, ASTNode];
    for (const [side, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const type = typeBeside(one.op, other);
      if (type !== undefined) typesByNode.set(side, type);
    }
  });
  return typesByNode;
}

const RECKONING: ReadonlySet<string> = new Set("+ - * / % < <= > >= == !=".split(" "));

/** Returns the type that an operand must have, derived from the operator and the other operand. */
function typeBeside(operator: string, other: ASTNode): FieldType | undefined {
  if (/^[-*/%]$/.test(operator)) return "number";
  if (other.op === "list") return "list of texts";
  if (other.op !== "value") return undefined;
  if (typeof other.args === "boolean") return "boolean";
  return typeof other.args === "number" || typeof other.args === "bigint" ? "number" : undefined;
}

/** Returns the names that are certainly present if `node` has the value `outcome`. */
function learned(node: ASTNode, outcome: boolean, learnedBy: Learned): readonly string[] {
  if (node.op === "!_") return learned(node.args, !outcome, learnedBy);
  if (node.op !== "&&" && node.op !== "||") return learnedBy(node, outcome);
  const [left, right] = node.args.map((one) => learned(one, outcome, learnedBy));
  if (node.op === (outcome ? "&&" : "||")) return [...(left ?? []), ...(right ?? [])];
  return (left ?? []).filter((one) => right?.includes(one));
}

function learnedFields(node: ASTNode, outcome: boolean): readonly string[] {
  if (!outcome || node.op !== "call" || node.args[0] !== "has") return [];
  return node.args[1].flatMap((one) => pathOf(one, ANY_ACCESS) ?? []);
}

const PLAIN_ACCESS: ReadonlySet<string> = new Set([".", "[]"]);
export const ANY_ACCESS: ReadonlySet<string> = new Set([".", ".?", "[]"]);

/**
 * Returns the path `sender.location` for `sender.location` and for `sender["location"]`.
 *
 * @param access Operators of the path. By default without `.?`, which has a value for an absent field, too.
 */
export function pathOf(node: ASTNode, access = PLAIN_ACCESS): string | undefined {
  if (node.op === "id") return node.args;
  if (node.op !== "." && node.op !== ".?" && node.op !== "[]") return undefined;
  if (!access.has(node.op)) return undefined;
  const [of, member] = node.args;
  const parent = pathOf(of, access);
  if (parent === undefined) return undefined;
  if (typeof member === "string") return `${parent}.${member}`;
  return member.op === "value" && typeof member.args === "string"
    ? `${parent}.${member.args}`
    : undefined;
}

/** Values to read in place of absent values, by type. */
export const STAND_INS: Readonly<Record<FieldType, string>> = {
  text: '""',
  number: "0",
  boolean: "false",
  "list of texts": "[]",
  time: '""',
};

function notAsked(node: ASTNode, path: string, type: FieldType): ExpressionFault {
  return {
    mistake: {
      code: "may-be-absent",
      message: `"${path}" may be absent, and then this expression would fail`,
      help: `write ${path}.orValue(${STAND_INS[type]}), or ask first: has(${path}) && …`,
    },
    offset: node.start,
    length: Math.max(1, node.end - node.start),
  };
}
