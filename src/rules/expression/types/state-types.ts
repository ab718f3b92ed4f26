import type { ASTNode } from "@marcbachmann/cel-js";
import type { Spot } from "../../../config/problem.ts";
import { inside, isNode, visit } from "../syntax-tree.ts";
import { pathOf } from "./typed-form.ts";

/** What a value is, for people. */
export type ValueKind = "text" | "number" | "true or false" | "list" | "map";

/** State that a rule keeps with a value of a kind, or reads as one. */
export interface StateType {
  /** `state.sender.score`. */
  readonly path: string;
  readonly kind: ValueKind;
  readonly does: "keeps" | "reads";
  /** What is kept, as it is written. */
  readonly written?: string;
  readonly at: Spot;
}

/** The kind of values of a CEL type; `undefined` where it may be any. */
export function valueKind(type: string): ValueKind | undefined {
  if (type === "string") return "text";
  if (type === "int" || type === "double") return "number";
  if (type === "bool") return "true or false";
  if (type.startsWith("list")) return "list";
  return type.startsWith("map") ? "map" : undefined;
}

const STATE = /^state\.\w+\.\w+$/;
const BESIDE_ITS_KIND: ReadonlySet<string> = new Set([
  "<",
  "<=",
  ">",
  ">=",
  "==",
  "!=",
  "+",
  "-",
  "*",
  "/",
  "%",
]);
const OF_TEXTS: ReadonlySet<string> = new Set([
  "upper",
  "lower",
  "trim",
  "truncate",
  "substring",
  "contains",
  "startsWith",
  "endsWith",
  "same",
  "has_word",
  "contains_any",
  "contains_all",
]);

/**
 * Tells as what an expression reads state: as what stands in for it, as what it is compared or reckoned with, or as
 * what a function takes.
 *
 * @param typeOf The CEL type of a part of the expression; `dyn` where it has none.
 */
export function stateReads(
  ast: ASTNode,
  typeOf: (node: ASTNode) => string,
): readonly Pick<StateType, "path" | "kind">[] {
  const found: Pick<StateType, "path" | "kind">[] = [];
  const note = (node: ASTNode, type: string): void => {
    const path = pathOf(node);
    const kind = valueKind(type);
    if (STATE.test(path) && kind !== undefined) found.push({ path, kind });
  };
  visit(ast, (node) => {
    if (node.op === "rcall") {
      const [name, of, args] = node.args;
      const [standIn] = args;
      if (name === "orValue" && standIn !== undefined) note(of, typeOf(standIn));
      else if (OF_TEXTS.has(name)) note(of, "string");
      return;
    }
    if (!BESIDE_ITS_KIND.has(node.op)) return;
    const [left, right] = inside(node);
    if (left === undefined || right === undefined || !isNode(left)) return;
    note(left, typeOf(right));
    note(right, typeOf(left));
  });
  return found;
}
