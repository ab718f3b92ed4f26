import type { ASTNode } from "@marcbachmann/cel-js";
import type { Mistake } from "../../config/problem.ts";
import { isReservedName, reservedMistake } from "../secrets.ts";
import { inside, visit } from "./syntax-tree.ts";

/** A secret that an expression reads. `offset` and `length` are within its source. */
export interface SecretName {
  readonly name: string;
  /** The expression asks with `has(…)` whether it is set. */
  readonly optional: boolean;
  /** The use is the argument of `has(…)`: it gives no part of the value. */
  readonly isAsked: boolean;
  /** The expression may give a part of the value: `secrets.KEY.substring(0, 4)`. */
  readonly isTakenApart: boolean;
  readonly offset: number;
  readonly length: number;
}

/** A use of secrets that no rule may make: their names are not known before it runs, or are reserved. */
export interface RefusedSecret {
  readonly mistake: Mistake;
  readonly offset: number;
  readonly length: number;
}

/** The secrets that an expression reads, by name; each use without a name, or with a reserved one, is a mistake. */
export function secretsIn(node: ASTNode): {
  readonly names: readonly SecretName[];
  readonly refused: readonly RefusedSecret[];
} {
  const names: Omit<SecretName, "optional">[] = [];
  const asked = new Set<string>();
  const inHas = new Set<ASTNode>();
  const named = new Set<ASTNode>();
  const refused: RefusedSecret[] = [];
  const whole = wholeUses(node);
  visit(node, (one) => {
    if (one.op === "call" && one.args[0] === "has") {
      for (const inner of one.args[1]) {
        const found = secretNamed(inner);
        if (!found) continue;
        asked.add(found.name);
        inHas.add(found.root);
      }
    }
    const found = secretNamed(one);
    if (found) {
      named.add(found.root);
      if (isReservedName(found.name)) {
        const mistake = reservedMistake(found.name);
        refused.push({ mistake, offset: found.root.start, length: "secrets".length });
      }
      names.push({
        name: found.name,
        isAsked: inHas.has(found.root),
        isTakenApart: !inHas.has(found.root) && !whole.has(found.root),
        offset: found.root.start,
        length: "secrets".length,
      });
    } else if (one.op === "id" && one.args === "secrets" && !named.has(one)) {
      refused.push({ mistake: NOT_NAMED, offset: one.start, length: one.args.length });
    }
  });
  return { names: names.map((one) => ({ ...one, optional: asked.has(one.name) })), refused };
}

const NOT_NAMED: Mistake = {
  code: "secret-not-named",
  message: "which secret this reads is not known before the rule runs",
  help: "name it:  secrets.NAME",
};

/** Uses of secrets whose value is in the expression's value unchanged or percent-encoded, or not at all. */
function wholeUses(node: ASTNode): ReadonlySet<ASTNode> {
  const use = secretNamed(node);
  if (use) return new Set([use.root]);
  const keepsWhole = KEEPING_WHOLE.has(node.op) || (node.op === "call" && node.args[0] === "url");
  return new Set(keepsWhole ? inside(node).flatMap((one) => [...wholeUses(one)]) : []);
}

/** Operators that change none of the texts they are applied to: a sum of texts, a choice, a list, a map. */
const KEEPING_WHOLE: ReadonlySet<string> = new Set(["+", "?:", "list", "map"]);

/** `secrets.NAME` or `secrets["NAME"]`. */
function secretNamed(node: ASTNode): { readonly root: ASTNode; readonly name: string } | undefined {
  if (node.op !== "." && node.op !== "[]") return undefined;
  const [root, member] = node.args;
  if (root.op !== "id" || root.args !== "secrets") return undefined;
  if (typeof member === "string") return { root, name: member };
  return member.op === "value" && typeof member.args === "string"
    ? { root, name: member.args }
    : undefined;
}
