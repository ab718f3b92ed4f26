import type { ASTNode } from "@marcbachmann/cel-js";
import type { Mistake } from "../../config/problem.ts";
import { isReservedName, reservedMistake } from "../secrets.ts";
import { inside, visit } from "./syntax-tree.ts";

/** Secret that an expression reads. `offset` and `length` are within its source. */
export interface SecretName {
  readonly name: string;
  /** Whether the expression tests with `has(…)` whether the secret is set. */
  readonly optional: boolean;
  /** Whether this use is the argument of `has(…)`, which does not reveal the value. */
  readonly isAsked: boolean;
  /** Whether the result can contain just a part of the secret, as with `secrets.KEY.substring(0, 4)`. */
  readonly isTakenApart: boolean;
  readonly offset: number;
  readonly length: number;
}

/** Forbidden use of a secret: its name is reserved, or computed by the expression itself. */
export interface RefusedSecret {
  readonly mistake: Mistake;
  readonly offset: number;
  readonly length: number;
}

/** Returns the secrets that an expression reads, and a mistake for each use with a reserved name or without a fixed name. */
export function secretsIn(node: ASTNode): {
  readonly names: readonly SecretName[];
  readonly refused: readonly RefusedSecret[];
} {
  const names: Omit<SecretName, "optional">[] = [];
  const checkedNames = new Set<string>();
  const inHas = new Set<ASTNode>();
  const named = new Set<ASTNode>();
  const refused: RefusedSecret[] = [];
  const whole = wholeUses(node);
  visit(node, (one) => {
    if (one.op === "call" && one.args[0] === "has") {
      for (const inner of one.args[1]) {
        const checkedSecret = secretNamed(inner);
        if (!checkedSecret) continue;
        checkedNames.add(checkedSecret.name);
        inHas.add(checkedSecret.root);
      }
    }
    const usedSecret = secretNamed(one);
    if (usedSecret) {
      named.add(usedSecret.root);
      if (isReservedName(usedSecret.name)) {
        const mistake = reservedMistake(usedSecret.name);
        refused.push({ mistake, offset: usedSecret.root.start, length: "secrets".length });
      }
      names.push({
        name: usedSecret.name,
        isAsked: inHas.has(usedSecret.root),
        isTakenApart: !inHas.has(usedSecret.root) && !whole.has(usedSecret.root),
        offset: usedSecret.root.start,
        length: "secrets".length,
      });
    } else if (one.op === "id" && one.args === "secrets" && !named.has(one)) {
      refused.push({ mistake: NOT_NAMED, offset: one.start, length: one.args.length });
    }
  });
  return { names: names.map((one) => ({ ...one, optional: checkedNames.has(one.name) })), refused };
}

const NOT_NAMED: Mistake = {
  code: "secret-not-named",
  message: "the name of this secret is computed when the rule runs",
  help: "name it:  secrets.NAME",
};

/** Returns the uses of secrets whose value is contained whole (or percent-encoded) in the result, or not at all. */
function wholeUses(node: ASTNode): ReadonlySet<ASTNode> {
  const use = secretNamed(node);
  if (use) return new Set([use.root]);
  const keepsWhole = KEEPING_WHOLE.has(node.op) || (node.op === "call" && node.args[0] === "url");
  return new Set(keepsWhole ? inside(node).flatMap((one) => [...wholeUses(one)]) : []);
}

/** Operators that leave their operands whole: concatenation, choice, list, map. */
const KEEPING_WHOLE: ReadonlySet<string> = new Set(["+", "?:", "list", "map"]);

/** Returns the name in `secrets.NAME` or `secrets["NAME"]`, and the node of `secrets`; otherwise `undefined`. */
function secretNamed(node: ASTNode): { readonly root: ASTNode; readonly name: string } | undefined {
  if (node.op !== "." && node.op !== "[]") return undefined;
  const [root, member] = node.args;
  if (root.op !== "id" || root.args !== "secrets") return undefined;
  if (typeof member === "string") return { root, name: member };
  return member.op === "value" && typeof member.args === "string"
    ? { root, name: member.args }
    : undefined;
}
