import type { ASTNode } from "@marcbachmann/cel-js";
import type { ExpressionFault } from "./expression-fault.ts";
import { inside } from "./syntax-tree.ts";

/** In texts of an event: what an expression may put together and look through, counted before it runs. */
const MAX_COST = 400;
/** A literal that is as long as this counts as one. */
const TEXT = 10_000;

/** The fault of an expression that would put together or look through too much text. */
export function tooCostly(node: ASTNode): ExpressionFault | undefined {
  const cost = costOf(node).work;
  if (cost <= MAX_COST) return undefined;
  const mistake = {
    code: "expr-too-long",
    message: "this puts together or looks through too much text",
    help: "put parts of it into  variables:  each holds at most 10,000 characters",
  };
  return { mistake, offset: node.start, length: Math.max(1, node.end - node.start) };
}

interface Cost {
  /** How long a text it gives, at most. */
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
    const made = (GROWS[node.args[0]] ?? 1) * size;
    return { size: made, work: work + made };
  }
  return { size, work: work + (node.op === "+" ? size : 0) };
}

const ACCESS: ReadonlySet<string> = new Set([".", ".?", "[]", "[?]"]);

/** A character becomes up to nine in a URL, up to three in capital letters. */
const GROWS: Readonly<Record<string, number>> = { url: 9, upper: 3, lower: 3 };
