import type { ASTNode } from "@marcbachmann/cel-js";
import type { Mistake } from "../../config/problem.ts";
import type { ExpressionFault } from "./expression-fault.ts";
import { NON_EMPTY } from "./value-types/empty-captures.ts";
import { visit } from "./syntax-tree.ts";

const LOOPS = ["all", "exists", "exists_one", "map", "filter", "bind"];

/**
 * Functions of CEL that this language rejects: slow functions, and further names for a function that already has one.
 */
const REFUSED: Readonly<Record<string, Mistake>> = {
  ...Object.fromEntries(
    LOOPS.map((name) => [
      name,
      {
        code: "expr-no-loops",
        message: `"${name}" is not supported: expressions have no loops, so no message can hang the bot`,
        help: 'for lists there is "in":  "a" in message.hashtags',
      },
    ]),
  ),
  matches: {
    code: "expr-no-matches",
    message: '"matches" is not supported in expressions',
    help: "use a condition:  - FIELD: {matches: 'PATTERN'}",
  },
  split: notHere(
    "split",
    "capture a part with a pattern:  {matches: '(?P<name>…)'}  and  captures.name",
  ),
  join: notHere("join", "a list of texts is shown with commas:  ${{ message.hashtags }}"),
  lowerAscii: notHere("lowerAscii", "use lower()"),
  upperAscii: notHere("upperAscii", "use upper()"),
  contains_word: notHere("contains_word", "use has_word(…)"),
};

function notHere(name: string, help: string): Mistake {
  return { code: "expr-not-here", message: `"${name}" is not supported in expressions`, help };
}

/** Returns whether authors can write a function: it is not refused, and not only for rewritten expressions. */
export function isSupported(name: string): boolean {
  return !Object.hasOwn(REFUSED, name) && name !== NON_EMPTY && !/^get\w+In$/.test(name);
}

/** Keys that the evaluator drops from the maps of an expression. */
const DROPPED_KEYS: ReadonlySet<unknown> = new Set(["constructor", "prototype", "__proto__"]);

function droppedKeys(node: ASTNode): readonly ExpressionFault[] {
  if (node.op !== "map") return [];
  return node.args.flatMap(([{ op, args, start, end }]) => {
    if (op !== "value" || !DROPPED_KEYS.has(args)) return [];
    const message = `a map can't have the key "${String(args)}" in an expression`;
    const mistake = { code: "invalid-value", message, help: "use another key" };
    return { mistake, offset: start, length: end - start };
  });
}

/** Returns a fault for each rejected call in `node`, and for each key of a map that the evaluator would drop. */
export function refusedCalls(node: ASTNode): ExpressionFault[] {
  const faults: ExpressionFault[] = [];
  visit(node, (one) => {
    faults.push(...droppedKeys(one));
    const name = one.op === "call" || one.op === "rcall" ? one.args[0] : undefined;
    const mistake = name === undefined || isSupported(name) ? undefined : REFUSED[name];
    if (name === undefined || mistake === undefined) return;
    const at = one.input.indexOf(name, one.op === "rcall" ? one.args[1].end : one.start);
    faults.push({ mistake, offset: Math.max(at, one.start), length: name.length });
  });
  return faults;
}
