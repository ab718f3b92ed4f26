import type { ASTNode } from "@marcbachmann/cel-js";
import { isHandleField } from "../../schema/fields.ts";
import { handleOf } from "../../../text/handle.ts";
import type { ExpressionFault } from "../../expression/expression-fault.ts";
import { fieldPath, visit } from "../../expression/syntax-tree.ts";

/** Returns a fault for each comparison of a handle with a text that begins with `@`, which handles in events lack. */
export function handlesWithAt(ast: ASTNode): readonly ExpressionFault[] {
  const faults: ExpressionFault[] = [];
  visit(ast, (node) => {
    if (node.op !== "==" && node.op !== "!=" && node.op !== "in") return;
    const field = node.args.map(fieldPath).find(isHandleField);
    const texts = node.args.flatMap((side) => (side.op === "list" ? side.args : [side]));
    const text = texts.map((one) => (one.op === "value" ? one.args : "")).find(isWithAt);
    if (field === undefined || text === undefined) return;
    faults.push({
      mistake: {
        code: "never-holds",
        severity: "warning",
        message: `${field} holds handles without @`,
        help: `write  ${JSON.stringify(handleOf(text))}`,
      },
      offset: node.start,
      length: Math.max(1, node.end - node.start),
    });
  });
  return faults;
}

function isWithAt(value: unknown): value is string {
  return typeof value === "string" && /^\s*[@\uff20]/.test(value);
}
