import type { ASTNode } from "@marcbachmann/cel-js";
import type { ExpressionFault } from "./expression-fault.ts";
import { inside } from "./syntax-tree.ts";

/** Maximum amount of text that an expression may build or search, estimated before it runs. Unit: {@link TEXT}. */
const MAX_COST = 400;
/**
 * Unit of costs, in characters. Every text of the event is assumed to have this length; a literal has its real length.
 */
const TEXT = 10_000;

/** Returns the fault of an expression that would build or search too much text. */
export function tooCostly(node: ASTNode): ExpressionFault | undefined {
  const cost = costOf(node).work;
  if (cost <= MAX_COST) return undefined;
  const mistake = {
    code: "expr-too-long",
    message: "this builds or searches too much text",
    help: "put parts of it into  variables:  each holds at most 10,000 characters",
  };
  return { mistake, offset: node.start, length: Math.max(1, node.end - node.start) };
}

interface Cost {
  /** Greatest length of the result. Unit: {@link TEXT}. */
  readonly size: number;
  readonly work: number;
}

function costOf(node: ASTNode): Cost {
  if (node.op === "value") {
    return { size: typeof node.args === "string" ? node.args.length / TEXT : 0, work: 0 };
  }
  if (node.op === "id") return { size: 1, work: 0 };
  const parts = inside(node).map((one) => costOf(one));
  const work = parts.reduce((sum, part) => sum + part.work, 0);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  if (ACCESS.has(node.op)) return { size: 1, work };
  if (node.op === "?:") {
    return { size: Math.max(...parts.slice(1).map((part) => part.size)), work };
  }
  if (node.op === "call" || node.op === "rcall") {
    const resultSize = (GROWS[node.args[0]] ?? 1) * size;
    return { size: resultSize, work: work + resultSize };
  }
  return { size, work: work + (node.op === "+" ? size : 0) };
}

const ACCESS: ReadonlySet<string> = new Set([".", ".?", "[]", "[?]"]);

/**
 * Greatest growth of a text by function: one character becomes up to nine in a URL, up to three in upper or lower case.
 */
const GROWS: Readonly<Record<string, number>> = { url: 9, upper: 3, lower: 3 };
