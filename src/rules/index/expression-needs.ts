import type { ASTNode } from "@marcbachmann/cel-js";
import { fold } from "../../text/fold.ts";
import { isKeptInState } from "../schema/fields.ts";
import { anyOf, type Atom, bestOf, type Need, substrings, values } from "./atom.ts";

/** Returns the atoms of which an event must satisfy at least one for the expression to be true. */
export function needOfExpression(node: ASTNode): Need {
  const { op } = node;
  if (op === "&&") return bestOf(node.args.map(needOfExpression));
  if (op === "||") return anyOf(node.args.map(needOfExpression));
  if (op === "==") {
    const [left, right] = node.args;
    return equality(left, right) ?? equality(right, left);
  }
  if (op === ">" || op === ">=" || op === "<" || op === "<=") return comparison(op, node.args);
  if (op === "in") return membership(node.args);
  if (op === "rcall") return needOfCall(node.args);
  const field = op === "." ? fieldIn(node) : undefined;
  return field === undefined ? undefined : values(field, "exact", [true]);
}

function equality(side: ASTNode, other: ASTNode): Need {
  const field = fieldIn(side);
  const [value] = literalsIn(other) ?? [];
  return field === undefined || value === undefined || other.op === "list"
    ? undefined
    : values(field, "exact", [value]);
}

const TURNED = { ">": "<", ">=": "<=", "<": ">", "<=": ">=" } as const;

function comparison(
  operator: keyof typeof TURNED,
  [left, right]: readonly [ASTNode, ASTNode],
): Need {
  const field = fieldIn(left);
  if (field === undefined) {
    return fieldIn(right) === undefined ? undefined : comparison(TURNED[operator], [right, left]);
  }
  const [limit] = literalsIn(right) ?? [];
  if (typeof limit !== "number") return undefined;
  const isLower = operator.startsWith(">");
  return [
    { kind: "range", field, from: isLower ? limit : -Infinity, to: isLower ? Infinity : limit },
  ];
}

/** Returns the atoms for `"a" in message.hashtags`, or for `sender.username in ["a", "b"]`. */
function membership([item, list]: readonly [ASTNode, ASTNode]): Need {
  const field = fieldIn(list);
  const [wanted] = literalsIn(item) ?? [];
  if (field !== undefined && wanted !== undefined) return values(field, "exact", [wanted]);
  const itemField = fieldIn(item);
  const members = list.op === "list" ? literalsIn(list) : undefined;
  return itemField === undefined || members === undefined
    ? undefined
    : values(itemField, "exact", members);
}

type Receiving = (field: string, texts: readonly string[]) => Need;

const folded =
  (bounded = false): Receiving =>
  (field, texts) =>
    substrings(
      field,
      "folded",
      texts.map((one) => fold(one).trim()),
      bounded,
    );
const exact: Receiving = (field, texts) => substrings(field, "exact", texts);

/**
 * Atoms for functions that test a text, by name. `field` is the text before the dot, and `texts` are in the argument.
 */
const FUNCTIONS: Readonly<Record<string, Receiving>> = {
  contains: exact,
  startsWith: exact,
  endsWith: exact,
  contains_any: folded(),
  contains_all: (field, texts) => bestOf(texts.map((one) => folded()(field, [one]))),
  has_word: folded(true),
  same: (field, texts) =>
    values(
      field,
      "folded",
      texts.map((one) => fold(one).trim()),
    ),
};

function needOfCall([name, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]]): Need {
  const field = fieldIn(receiver);
  const say = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  const [first, second] = args;
  if (field === undefined || !say || first === undefined || second !== undefined) return undefined;
  const texts = literalsIn(first);
  return texts?.every((one) => typeof one === "string") === true && texts.length > 0
    ? say(field, texts)
    : undefined;
}

/** First names of paths that are not part of the event. */
const WORKED_OUT: ReadonlySet<string> = new Set([
  "vars",
  "trigger",
  "now",
  "inputs",
  "texts",
  "hours",
]);

/** Returns the path of a field access such as `message.text`; `undefined` for names that are not part of the event. */
function fieldIn(node: ASTNode): string | undefined {
  const path = pathIn(node);
  return path === undefined || isKeptInState(path) ? undefined : path;
}

function pathIn(node: ASTNode): string | undefined {
  if (node.op === "id") return WORKED_OUT.has(node.args) ? undefined : node.args;
  if (node.op !== ".") return undefined;
  const parent = pathIn(node.args[0]);
  return parent === undefined ? undefined : `${parent}.${node.args[1]}`;
}

type Literal = Extract<Atom, { kind: "value" }>["value"];

/** Returns a literal, or the literals of a list; `undefined` for any other expression. */
function literalsIn(node: ASTNode): readonly Literal[] | undefined {
  if (node.op === "value") {
    const value = typeof node.args === "bigint" ? Number(node.args) : node.args;
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? [value]
      : undefined;
  }
  if (node.op !== "list") return undefined;
  const inner = node.args.map(literalsIn);
  return inner.every((one) => one !== undefined) ? inner.flat() : undefined;
}
