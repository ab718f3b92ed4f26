import type { ASTNode } from "@marcbachmann/cel-js";
import { visit } from "../syntax-tree.ts";

/** An expression as CEL reads it, and where its parts stood as it was written. */
export interface OptionalAccess {
  readonly source: string;
  /** The offset in what was written. */
  readonly written: (offset: number) => number;
}

/**
 * Makes `sender.location.orValue("")` what CEL calls an optional access, `sender.?location.orValue("")`,
 * so that authors need one word only for what may be absent.
 *
 * @returns `undefined` when nothing has to be changed.
 */
export function withOptionalAccess(source: string, ast: ASTNode): OptionalAccess | undefined {
  const dots = new Set<number>();
  visit(ast, (node) => {
    if (node.op !== "rcall" || node.args[0] !== "orValue") return;
    const dot = firstDot(node.args[1], source);
    if (dot !== undefined) dots.add(dot);
  });
  if (dots.size === 0) return undefined;
  const sorted = [...dots].sort((a, b) => a - b);
  let changed = "";
  let from = 0;
  for (const dot of sorted) {
    changed += `${source.slice(from, dot)}.?`;
    from = dot + 1;
  }
  changed += source.slice(from);
  const written = (offset: number) =>
    offset - sorted.filter((dot, index) => dot + index + 1 < offset).length;
  return { source: changed, written };
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
