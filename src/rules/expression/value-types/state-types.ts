import type { ASTNode } from "@marcbachmann/cel-js";
import type { Spot } from "../../../config/problem.ts";
import { inside, isNode, visit } from "../syntax-tree.ts";
import { pathOf } from "./typed-form.ts";

/** Kind of a value, as error messages name it. */
export type ValueKind = "text" | "number" | "true or false" | "list" | "map";

/**
 * Use of a value of user state by a rule, which stores a value of this kind, or expects this kind when it reads the
 * state.
 */
export interface StateType {
  /** Path of the state, such as `state.sender.score`. */
  readonly path: string;
  readonly kind: ValueKind;
  readonly does: "keeps" | "reads";
  /** Stored value as the rule writes it, such as `7` or `${{ captures.n }}`. */
  readonly written?: string;
  readonly at: Spot;
}

/** Returns the kind of values of a CEL type; `undefined` if the type allows several kinds. */
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
 * Returns the kinds of the values that an expression expects in user state. The kind follows from the argument of
 * `orValue`, from the other operand of an operator, or from a function that takes a text.
 *
 * @param typeOf Returns the CEL type of a part of the expression; `dyn` if the type is unknown.
 */
export function stateReads(
  ast: ASTNode,
  typeOf: (node: ASTNode) => string,
): readonly Pick<StateType, "path" | "kind">[] {
  const stateTypes: Pick<StateType, "path" | "kind">[] = [];
  const note = (node: ASTNode, type: string): void => {
    const path = pathOf(node);
    const kind = valueKind(type);
    if (STATE.test(path) && kind !== undefined) stateTypes.push({ path, kind });
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
  return stateTypes;
}
