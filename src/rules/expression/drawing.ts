import type { ASTNode } from "@marcbachmann/cel-js";
import type { Mistake } from "../../config/problem.ts";
import { seedOf } from "./seed.ts";
import type { Expression } from "./expression.ts";
import { visit } from "./syntax-tree.ts";
import { DRAWING, drawingAs } from "./functions/draw-functions.ts";
import type { ExpressionFault } from "./expression-fault.ts";

/**
 * Makes the random draws of an expression independent of other expressions: their seed is the view's seed and `place`.
 *
 * @param place Identifies the expression within its rule.
 */
export function withOwnDraws(expression: Expression, place: string): Expression {
  const { ast, evaluate } = expression;
  if (drawsIn(ast).length === 0) return expression;
  return {
    ...expression,
    evaluate: (view) => drawingAs(`${seedOf(view)}/${place}`, () => evaluate(view)),
  };
}

/** Returns a fault for each random call with impossible arguments: a chance above 1, or `random(6, 1)`. */
export function drawFaults(ast: ASTNode): readonly ExpressionFault[] {
  return drawsIn(ast).flatMap(({ node, name, args }) => {
    const [first, second] = args.map(literalNumber);
    const mistake = name === "chance" ? shareMistake(first) : rangeMistake(first, second);
    return mistake === undefined
      ? []
      : [{ mistake, offset: node.start, length: Math.max(1, node.end - node.start) }];
  });
}

interface Draw {
  readonly node: ASTNode;
  readonly name: string;
  readonly args: readonly ASTNode[];
}

function drawsIn(ast: ASTNode): readonly Draw[] {
  const drawCalls: Draw[] = [];
  visit(ast, (node) => {
    if (node.op !== "call") return;
    const [name, args] = node.args;
    if (DRAWING.has(name)) drawCalls.push({ node, name, args });
  });
  return drawCalls;
}

function literalNumber(node: ASTNode): number | undefined {
  if (node.op !== "value") return undefined;
  const value: unknown = node.args;
  return typeof value === "bigint" || typeof value === "number" ? Number(value) : undefined;
}

function shareMistake(share: number | undefined): Mistake | undefined {
  if (share === undefined || (share >= 0 && share <= 1)) return undefined;
  const message = `chance takes a probability between 0 and 1, and this is ${share}`;
  const help =
    share > 1 && share <= 100
      ? `for ${share} %, write  chance(${share / 100})`
      : "write, as for 30 %:  chance(0.3)";
  return { code: "draw-range", message, help };
}

function rangeMistake(least: number | undefined, most: number | undefined): Mistake | undefined {
  if (least === undefined || most === undefined || least <= most) return undefined;
  const message = `there is no number from ${least} up to ${most}`;
  return { code: "draw-range", message, help: `write  random(${most}, ${least})` };
}
