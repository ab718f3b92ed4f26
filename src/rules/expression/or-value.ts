import type { ASTNode } from "@marcbachmann/cel-js";
import { type ChangedSource, withInsertions } from "./insertions.ts";
import { visit } from "./syntax-tree.ts";

/**
 * Rewrites `sender.location.orValue("")` to CEL's optional access, `sender.?location.orValue("")`, so that authors need
 * only `orValue` for a value that may be absent.
 *
 * @returns `undefined` if nothing has to be changed.
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

/** Returns the index of the dot after the first name of a chain of fields. */
function firstDot(node: ASTNode, source: string): number | undefined {
  if (node.op === "[]") return firstDot(node.args[0], source);
  if (node.op !== ".") return undefined;
  const [of] = node.args;
  if (of.op !== "id") return firstDot(of, source);
  const dot = source.indexOf(".", of.end);
  return dot < 0 ? undefined : dot;
}
