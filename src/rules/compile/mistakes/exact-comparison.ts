import type { ASTNode } from "@marcbachmann/cel-js";
import type { ExpressionFault } from "../expressions/expression-fault.ts";
import { fieldPath, visit } from "../syntax-tree.ts";

/** Fields that hold what a person wrote. */
const WRITTEN = new Set(["text", "message.text", "post.text", "event.text"]);

/** Places where an expression compares what a person wrote with a fixed text, exactly. */
export function exactComparisons(ast: ASTNode): readonly ExpressionFault[] {
  const found: ExpressionFault[] = [];
  visit(ast, (node) => {
    const exact = node.op === "==" || node.op === "!=" ? compared(node.args) : called(node);
    if (exact === undefined) return;
    const { field, text, instead } = exact;
    if (!/\p{L}/u.test(text)) return;
    const not = node.op === "!=" ? "!" : "";
    found.push({
      mistake: {
        code: "exact-comparison",
        severity: "warning",
        message: `${field} is what a person wrote: this is true only for exactly ${JSON.stringify(text)}, case and all`,
        help: `write ${not}${field}.${instead}(${JSON.stringify(text)})`,
      },
      offset: node.start,
      length: Math.max(1, node.end - node.start),
    });
  });
  return found;
}

interface Exact {
  readonly field: string;
  readonly text: string;
  /** The function that compares as people read. */
  readonly instead: string;
}

function compared([left, right]: readonly [ASTNode, ASTNode]): Exact | undefined {
  return exactly(left, right, "same") ?? exactly(right, left, "same");
}

function called(node: ASTNode): Exact | undefined {
  if (node.op !== "rcall" || node.args[0] !== "contains") return undefined;
  const [, of, [text]] = node.args;
  return text && exactly(of, text, "has_word");
}

function exactly(field: ASTNode, text: ASTNode, instead: string): Exact | undefined {
  const path = fieldPath(field);
  if (!WRITTEN.has(path) || text.op !== "value" || typeof text.args !== "string") return undefined;
  return { field: path, text: text.args, instead };
}
