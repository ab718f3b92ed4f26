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
  const counted = countedIn(node);
  look(node, new Set());
  return faults;

  /** Checks `one`. `presentFields`: paths that an enclosing test, such as `has(a.b) && …`, has shown to be present. */
  function look(one: ASTNode, presentFields: ReadonlySet<string>): void {
    if (one.op === "call" && one.args[0] === "has") return;
    if (one.op === "&&" || one.op === "||") {
      const [left, right] = one.args;
      look(left, presentFields);
      look(right, new Set([...presentFields, ...learned(left, one.op === "&&")]));
      return;
    }
    if (one.op === "?:") {
      const [test, yes, no] = one.args;
      look(test, presentFields);
      look(yes, new Set([...presentFields, ...learned(test, true)]));
      look(no, new Set([...presentFields, ...learned(test, false)]));
      return;
    }
    const path = pathOf(one);
    if (path !== undefined && !presentFields.has(path) && mayBeAbsent(path)) {
      const field = scope.fields.get(path) ?? resultField(path, lookedUp);
      const type = field?.type ?? counted.get(one) ?? "text";
      faults.push(notAsked(one, path, type));
      return;
    }
    for (const child of inside(one)) look(child, presentFields);
  }

  function mayBeAbsent(path: string): boolean {
    const field = scope.fields.get(path) ?? resultField(path, lookedUp);
    const isUndeclared = isStateValue(path) && scope.declared?.has(path) !== true;
    return field?.mayBeAbsent === true || isUndeclared;
  }
}

/** Returns the types that values of state must have for the arithmetic and comparisons of an expression. */
function countedIn(node: ASTNode): ReadonlyMap<ASTNode, FieldType> {
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

/** Returns the fields that are certainly present if `node` has the value `outcome`. */
function learned(node: ASTNode, outcome: boolean): readonly string[] {
  if (node.op === "!_") return learned(node.args, !outcome);
  if (node.op === (outcome ? "&&" : "||")) {
    return node.args.flatMap((one) => learned(one, outcome));
  }
  if (!outcome || node.op !== "call" || node.args[0] !== "has") return [];
  return node.args[1].flatMap((one) => pathOf(one, ANY_ACCESS) ?? []);
}

const PLAIN_ACCESS: ReadonlySet<string> = new Set([".", "[]"]);
const ANY_ACCESS: ReadonlySet<string> = new Set([".", ".?", "[]"]);

/**
 * Returns the path `sender.location` for `sender.location` and for `sender["location"]`.
 *
 * @param access Operators of the path. By default without `.?`, which has a value for an absent field, too.
 */
function pathOf(node: ASTNode, access = PLAIN_ACCESS): string | undefined {
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

const STAND_INS: Readonly<Record<FieldType, string>> = {
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
