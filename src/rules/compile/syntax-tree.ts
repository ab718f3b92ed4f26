import type { ASTNode } from "@marcbachmann/cel-js";

/** Calls `see` with `node` and every node inside it, outer ones first. */
export function visit(node: ASTNode, see: (node: ASTNode) => void): void {
  see(node);
  const inside = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) inside(item);
    } else if (isNode(value)) {
      visit(value, see);
    }
  };
  inside(node.args);
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}
