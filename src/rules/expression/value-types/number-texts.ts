import type { ASTNode } from "@marcbachmann/cel-js";
import { type ChangedSource, type Insertion, withInsertions } from "../insertions.ts";
import type { NumberKind } from "../patterns/number-groups.ts";
import { fieldPath, inside } from "../syntax-tree.ts";

/** Functions that convert a text to a number, by the kind of number in the text. */
const CONVERSIONS: Readonly<Record<NumberKind, string>> = { whole: "number", decimal: "decimal" };

const ORDER: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);
const EQUALITY: ReadonlySet<string> = new Set(["==", "!=", "in"]);
const ARITHMETIC: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%"]);

/**
 * Converts texts that always hold a number where an expression calculates with them or compares them with a number:
 * `captures.n > 8` becomes `number(captures.n) > 8`. Elsewhere they remain the text that a person wrote.
 *
 * @param numbers Texts that hold numbers, by path.
 * @param typeOf Returns the CEL type of a part of the expression; `dyn` if it has none.
 * @returns `undefined` if nothing has to be changed.
 */
export function withNumbers(
  source: string,
  ast: ASTNode,
  numbers: ReadonlyMap<string, NumberKind>,
  typeOf: (node: ASTNode) => string,
): ChangedSource | undefined {
  if (numbers.size === 0) return undefined;
  const insertions: Insertion[] = [];
  look(ast);
  return insertions.length === 0 ? undefined : withInsertions(source, insertions);

  function look(node: ASTNode): void {
    if (isPair(node)) compare(node);
    else if (node.op === "-_") convert(node.args);
    for (const child of inside(node)) look(child);
  }

  function compare({ op, args: [left, right] }: Pair): void {
    const kinds = [kindOf(left), kindOf(right)] as const;
    const reckons = ORDER.has(op) || ARITHMETIC.has(op);
    for (const [one, other, kind] of [
      [left, right, kinds[1]],
      [right, left, kinds[0]],
    ] as const) {
      if (numberKind(one) === undefined) continue;
      const isNumber = kind === "number" || (op === "in" && isListOfNumbers(other));
      const isMeant =
        (reckons && kind === "digits") ||
        (ORDER.has(op) && isQuotedNumber(other)) ||
        (reckons && op !== "+" && kind === "dyn");
      if (!isNumber && !isMeant) continue;
      convert(one);
      if (isQuotedNumber(other)) call("decimal", other);
    }
  }

  function convert(node: ASTNode): void {
    const kind = numberKind(node);
    if (kind !== undefined) call(CONVERSIONS[kind], node);
  }

  function call(name: string, { start, end }: ASTNode): void {
    insertions.push({ at: start, text: `${name}(` }, { at: end, text: ")" });
  }

  function numberKind(node: ASTNode): NumberKind | undefined {
    return numbers.get(fieldPath(node));
  }

  function kindOf(node: ASTNode): "digits" | "number" | "dyn" | "other" {
    if (numberKind(node) !== undefined) return "digits";
    if (node.op === "-_") return kindOf(node.args) === "other" ? "other" : "number";
    if (isPair(node) && ARITHMETIC.has(node.op)) {
      const kinds = inside(node).map((one) => kindOf(one));
      if (kinds.every((kind) => kind === "digits" || kind === "number")) return "number";
    }
    if (node.op === "rcall" && node.args[0] === "orValue") {
      const [standIn] = node.args[2];
      if (standIn !== undefined) return kindOf(standIn);
    }
    const type = typeOf(node);
    return type === "int" || type === "double" ? "number" : type === "dyn" ? "dyn" : "other";
  }

  function isListOfNumbers(node: ASTNode): boolean {
    return /^list<(?:int|double)>$/.test(typeOf(node));
  }
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
