import type { ASTNode } from "@marcbachmann/cel-js";
import type { ExpressionFault } from "../../expression/expression-fault.ts";
import { fieldPath, visit } from "../../expression/syntax-tree.ts";
import type { RuleField } from "../../schema/fields.ts";

/**
 * Returns a warning for each beginning of a field by `substring(0, 20)`: with a shorter text, the expression fails. An
 * expression that tests the size or the beginning of a text is not reported.
 */
export function shorterTexts(
  ast: ASTNode,
  fields: ReadonlyMap<string, RuleField>,
): readonly ExpressionFault[] {
  const faults: ExpressionFault[] = [];
  let isTested = false;
  visit(ast, (node) => {
    if (node.op === "call" || node.op === "rcall") {
      isTested ||= node.args[0] === "size" || node.args[0] === "startsWith";
    }
    if (node.op !== "rcall" || node.args[0] !== "substring") return;
    const [, of, [from, to]] = node.args;
    const field = fieldPath(of);
    const length = to?.op === "value" ? Number(to.args) : 0;
    const isBeginning = from?.op === "value" && Number(from.args) === 0 && length > 1;
    if (!isBeginning || fields.get(field)?.type !== "text" || field.endsWith("id")) return;
    faults.push({
      mistake: {
        code: "may-be-absent",
        severity: "warning",
        message: `${field} may have fewer than ${length} characters, and then this expression would fail`,
        help: `write ${field}.truncate(${length}), or test ${field}.size() first`,
      },
      offset: node.start,
      length: Math.max(1, node.end - node.start),
    });
  });
  return isTested ? [] : faults;
}
