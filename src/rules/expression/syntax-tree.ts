import type { ASTNode } from "@marcbachmann/cel-js";

/** Calls `see` with `node` and every node inside it, outer ones first. */
export function visit(node: ASTNode, see: (node: ASTNode) => void): void {
  see(node);
  for (const child of inside(node)) visit(child, see);
}

/** Returns the direct child nodes of `node`. */
export function inside(node: ASTNode): readonly ASTNode[] {
  const children: ASTNode[] = [];
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) collect(item);
    } else if (isNode(value)) {
      children.push(value);
    }
  };
  collect(node.args);
  return children;
}

/** Returns whether a value is a node of the tree, rather than a name or a literal. */
export function isNode(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}

/** Returns the path of an access to a field, such as `post.text`; empty for anything else. */
export function fieldPath(node: ASTNode): string {
  if (node.op === "id") return node.args;
  if (node.op !== ".") return "";
  const parent = fieldPath(node.args[0]);
  return parent === "" ? "" : `${parent}.${node.args[1]}`;
}
