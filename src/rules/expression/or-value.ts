import type { ASTNode } from "@marcbachmann/cel-js";
import { type ChangedSource, withInsertions } from "./insertions.ts";
import { visit } from "./syntax-tree.ts";

/**
 * Makes `sender.location.orValue("")` what CEL calls an optional access, `sender.?location.orValue("")`,
 * so that authors need one word only for what may be absent.
 *
 * @returns `undefined` when nothing has to be changed.
 */
export function withOptionalAccess(source: string, ast: ASTNode): ChangedSource | undefined {
  const dots = new Set<number>();
  visit(ast, (node) => {
    if (node.op !== "rcall" || node.args[0] !== "orValue") return;
    const dot = firstDot(node.args[1], source);
    if (dot !== undefined) dots.add(dot);
  });
  if (dots.size === 0) return undefined;
  return withInsertions(
    source,
    [...dots].map((dot) => ({ at: dot + 1, text: "?" })),
  );
}

/** The dot after the name that a chain of fields starts with. */
function firstDot(node: ASTNode, source: string): number | undefined {
  if (node.op === "[]") return firstDot(node.args[0], source);
  if (node.op !== ".") return undefined;
  const [of] = node.args;
  if (of.op !== "id") return firstDot(of, source);
  const dot = source.indexOf(".", of.end);
  return dot < 0 ? undefined : dot;
}
