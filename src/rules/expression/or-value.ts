import type { ASTNode } from "@marcbachmann/cel-js";
import { type ChangedSource, withInsertions } from "./insertions.ts";
import { visit } from "./syntax-tree.ts";

/**
 * Rewrites `sender.location.orValue("")` to CEL's optional access, `sender.?location.orValue("")`, so that authors need
 * only `orValue` for a value that may be absent. Likewise `has(steps.order.status)` becomes `has(steps.?order.status)`,
 * which is false if the step `order` has no result; in CEL, `has` fails if the object before its last dot is absent.
 *
 * @returns `undefined` if nothing has to be changed.
 */
export function withOptionalAccess(source: string, ast: ASTNode): ChangedSource | undefined {
  const dots = new Set<number>();
  visit(ast, (node) => {
    const chain = optionalChain(node);
    const dot = chain && firstDot(chain, source);
    if (dot !== undefined) dots.add(dot);
  });
  if (dots.size === 0) return undefined;
  return withInsertions(
    source,
    [...dots].map((dot) => ({ at: dot + 1, text: "?" })),
  );
}

/** Returns the chain of fields that `orValue` or `has` reads, if any of its fields may be absent. */
function optionalChain(node: ASTNode): ASTNode | undefined {
  if (node.op === "rcall" && node.args[0] === "orValue") return node.args[1];
  if (node.op !== "call" || node.args[0] !== "has") return undefined;
  const [chain] = node.args[1];
  if (chain?.op !== "." || chain.args[0].op === "id") return undefined;
  return ALWAYS_PRESENT.has(rootOf(chain)) ? undefined : chain;
}

/** Names whose objects are always present: only the last field of `has(state.sender.tier)` may be absent. */
const ALWAYS_PRESENT: ReadonlySet<string> = new Set(["state", "secrets"]);

function rootOf(node: ASTNode): string {
  if (node.op === "id") return node.args;
  return node.op === "." || node.op === "[]" ? rootOf(node.args[0]) : "";
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
