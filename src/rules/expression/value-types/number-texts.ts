import type { ASTNode } from "@marcbachmann/cel-js";
import { type ChangedSource, type Insertion, withInsertions } from "../insertions.ts";
import type { NumberGroup, NumberKind } from "../patterns/number-groups.ts";
import { fieldPath, inside } from "../syntax-tree.ts";
import { pathOf } from "./typed-form.ts";

/** Functions that convert a text to a number, by the kind of number in the text. */
const CONVERSIONS: Readonly<Record<NumberKind, string>> = { whole: "number", decimal: "decimal" };

const ORDER: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);
const EQUALITY: ReadonlySet<string> = new Set(["==", "!=", "in"]);
const ARITHMETIC: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%"]);

/** Known types of the values in an expression. */
interface ValueFacts {
  /** Texts that hold numbers, by path. */
  readonly numbers: ReadonlyMap<string, NumberGroup>;
  /** Returns the CEL type of a part of the expression; `dyn` if the type is unknown. */
  readonly typeOf: (node: ASTNode) => string;
}

/**
 * Converts texts that always hold a number where an expression calculates with them or compares them with a number:
 * `captures.n > 8` becomes `number(captures.n) > 8`. Elsewhere they remain the text that a person wrote. A number in place
 * of an absent text gives a number: `captures.n.orValue(0)` becomes `number(captures.n.orValue("0"))`. For a text that may
 * be absent, only the latter is done.
 *
 * @returns `undefined` if nothing has to be changed.
 */
export function withNumbers(
  source: string,
  ast: ASTNode,
  facts: ValueFacts,
): ChangedSource | undefined {
  if (facts.numbers.size === 0) return undefined;
  const insertions = [...conversionsIn(ast, facts)];
  return insertions.length === 0 ? undefined : withInsertions(source, insertions);
}

function* conversionsIn(node: ASTNode, facts: ValueFacts): Generator<Insertion> {
  if (isPair(node)) yield* conversionsOf(node, facts);
  else if (node.op === "-_") yield* toNumber(node.args, facts);
  else if (node.op === "rcall") yield* withNumberInPlace(node, facts);
  for (const child of inside(node)) yield* conversionsIn(child, facts);
}

/** Converts `captures.n.orValue(0)`. */
function* withNumberInPlace(node: ASTNode, { numbers }: ValueFacts): Generator<Insertion> {
  if (node.op !== "rcall" || node.args[0] !== "orValue") return;
  const [, text, [standIn]] = node.args;
  const kind = numbers.get(pathOf(text))?.kind;
  if (kind === undefined || standIn === undefined || literalOf(standIn) === undefined) return;
  yield* call(Number.isInteger(literalOf(standIn)) ? CONVERSIONS[kind] : "decimal", node);
  for (const at of [standIn.start, standIn.end]) yield { at, text: '"' };
}

/** Returns the value of a number such as `0` or `-1.5`; `undefined` for anything else. */
function literalOf(node: ASTNode): number | undefined {
  if (node.op === "-_") {
    const positive = literalOf(node.args);
    return positive === undefined ? undefined : -positive;
  }
  const isNumber = node.op === "value" && /^(?:number|bigint)$/.test(typeof node.args);
  return isNumber ? Number(node.args) : undefined;
}

function* conversionsOf({ op, args: [left, right] }: Pair, facts: ValueFacts) {
  const kinds = [kindOf(left, facts), kindOf(right, facts)] as const;
  const reckons = ORDER.has(op) || ARITHMETIC.has(op);
  for (const [one, other, kind] of [
    [left, right, kinds[1]],
    [right, left, kinds[0]],
  ] as const) {
    if (numberKind(one, facts) === undefined) continue;
    const isNumber = kind === "number" || (op === "in" && isListOfNumbers(other, facts));
    const isMeant =
      (reckons && kind === "digits") ||
      (ORDER.has(op) && isQuotedNumber(other)) ||
      (reckons && op !== "+" && kind === "dyn");
    if (!isNumber && !isMeant) continue;
    yield* op === "in" ? toItem(one, other, facts) : toNumber(one, facts);
    if (isQuotedNumber(other)) yield* call("decimal", other);
  }
}

function toNumber(node: ASTNode, facts: ValueFacts): readonly Insertion[] {
  const kind = numberKind(node, facts);
  return kind === undefined ? [] : call(CONVERSIONS[kind], node);
}

/** Converts a text and the list in which it is searched to the same kind of number. */
function* toItem(node: ASTNode, list: ASTNode, facts: ValueFacts): Generator<Insertion> {
  const hasWhole = facts.typeOf(list) === "list<int>";
  if (hasWhole && numberKind(node, facts) === "whole") return yield* toNumber(node, facts);
  yield* call(CONVERSIONS.decimal, node);
  if (!hasWhole || list.op !== "list") return;
  for (const item of list.args) yield* call("double", item);
}

function call(name: string, { start, end }: ASTNode): readonly Insertion[] {
  return [
    { at: start, text: `${name}(` },
    { at: end, text: ")" },
  ];
}

function numberKind(node: ASTNode, { numbers }: ValueFacts): NumberKind | undefined {
  const group = numbers.get(fieldPath(node));
  return group?.mayBeAbsent === false ? group.kind : undefined;
}

function kindOf(node: ASTNode, facts: ValueFacts): "digits" | "number" | "dyn" | "other" {
  if (numberKind(node, facts) !== undefined) return "digits";
  if (node.op === "-_") return kindOf(node.args, facts) === "other" ? "other" : "number";
  if (isPair(node) && ARITHMETIC.has(node.op)) {
    const kinds = inside(node).map((one) => kindOf(one, facts));
    if (kinds.every((kind) => kind === "digits" || kind === "number")) return "number";
  }
  if (node.op === "rcall" && node.args[0] === "orValue") {
    const [standIn] = node.args[2];
    if (standIn !== undefined) return kindOf(standIn, facts);
  }
  const type = facts.typeOf(node);
  return type === "int" || type === "double" ? "number" : type === "dyn" ? "dyn" : "other";
}

function isListOfNumbers(node: ASTNode, { typeOf }: ValueFacts): boolean {
  return /^list<(?:int|double)>$/.test(typeOf(node));
}

type Pair = ASTNode & { readonly args: readonly [ASTNode, ASTNode] };

function isPair(node: ASTNode): node is Pair {
  return ORDER.has(node.op) || EQUALITY.has(node.op) || ARITHMETIC.has(node.op);
}

function isQuotedNumber(node: ASTNode): boolean {
  return (
    node.op === "value" && typeof node.args === "string" && /^-?\d+(?:\.\d+)?$/.test(node.args)
  );
}
