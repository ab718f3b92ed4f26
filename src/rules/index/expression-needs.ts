import type { ASTNode } from "@marcbachmann/cel-js";
import type { ValuePresence } from "../evaluation/evaluation.ts";
import { fold } from "../../text/fold.ts";
import { isKeptInState, isTimeField } from "../schema/fields.ts";
import type { StateUse } from "../schema/state-keys.ts";
import {
  anyOf,
  type Atom,
  bestOf,
  type IndexedField,
  type Need,
  substrings,
  values,
} from "./atom.ts";

/**
 * Returns the atoms of which an event must satisfy at least one for the expression to be true.
 *
 * @param uses User state that the expression reads.
 */
export function needOfExpression(node: ASTNode, uses: readonly StateUse[]): Need {
  const { op } = node;
  if (op === "&&") return bestOf(node.args.map((one) => needOfExpression(one, uses)));
  if (op === "||") return anyOf(node.args.map((one) => needOfExpression(one, uses)));
  if (op === "==") {
    const [left, right] = node.args;
    return equality(left, right, uses) ?? equality(right, left, uses);
  }
  if (op === ">" || op === ">=" || op === "<" || op === "<=")
    return comparison(op, node.args, uses);
  if (op === "in") return membership(node.args, uses);
  if (op === "call") return presence(node, ["readable", "unreadable"], uses);
  if (op === "!_") return negation(node.args, uses);
  const field = fieldIn(node, uses);
  if (field !== undefined) return op === "id" ? undefined : values(field, "exact", [true]);
  return op === "rcall" ? needOfCall(node.args) : undefined;
}

function negation(node: ASTNode, uses: readonly StateUse[]): Need {
  const field = fieldIn(node, uses);
  return typeof field === "object"
    ? values(field, "exact", [false])
    : presence(node, ["absent"], uses);
}

/** Returns the atoms for `has(state.sender.city)`: whether a value is stored is one of `presences`. */
function presence(
  { op, args }: ASTNode,
  presences: readonly ValuePresence[],
  uses: readonly StateUse[],
): Need {
  if (op !== "call" || args[0] !== "has") return undefined;
  const [of] = args[1];
  const field = of === undefined ? undefined : fieldIn(of, uses);
  if (typeof field !== "object") return undefined;
  return values({ use: field.use, type: "presence" }, "exact", presences);
}

function equality(side: ASTNode, other: ASTNode, uses: readonly StateUse[]): Need {
  const field = fieldIn(side, uses);
  const [value] = literalsIn(other) ?? [];
  return field === undefined || value === undefined || other.op === "list"
    ? undefined
    : values(field, "exact", [value]);
}

const TURNED = { ">": "<", ">=": "<=", "<": ">", "<=": ">=" } as const;

function comparison(
  operator: keyof typeof TURNED,
  [left, right]: readonly [ASTNode, ASTNode],
  uses: readonly StateUse[],
): Need {
  const field = fieldIn(left, uses);
  if (field === undefined) {
    const isTurned = fieldIn(right, uses) !== undefined;
    return isTurned ? comparison(TURNED[operator], [right, left], uses) : undefined;
  }
  const [limit] = literalsIn(right) ?? [];
  if (typeof limit !== "number") return undefined;
  const isLower = operator.startsWith(">");
  return [
    { kind: "range", field, from: isLower ? limit : -Infinity, to: isLower ? Infinity : limit },
  ];
}

/** Returns the atoms for `"a" in message.hashtags`, or for `sender.username in ["a", "b"]`. */
function membership([item, list]: readonly [ASTNode, ASTNode], uses: readonly StateUse[]): Need {
  const field = fieldIn(list, uses);
  const [wanted] = literalsIn(item) ?? [];
  if (field !== undefined && wanted !== undefined) {
    // A stored value may be a map, or a list of values that are not all texts. Such values are not in the index.
    const isTexts = typeof field === "string" || field.use.kind === "labels";
    return isTexts ? values(field, "exact", [wanted]) : undefined;
  }
  const itemField = fieldIn(item, uses);
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
  const field = fieldIn(receiver, []);
  const say = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  const [first, second] = args;
  if (typeof field !== "string" || !say || first === undefined || second !== undefined)
    return undefined;
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

/**
 * Returns the field of the event for an access such as `message.text`, or the user state for `state.sender.score` and
 * `state.sender.score.orValue(0)`; `undefined` for anything else.
 */
function fieldIn(node: ASTNode, uses: readonly StateUse[]): IndexedField | undefined {
  if (node.op === "rcall") {
    const [name, receiver, [standIn, ...others]] = node.args;
    if (name !== "orValue" || standIn === undefined || others.length > 0) return undefined;
    const field = fieldIn(receiver, uses);
    const [value] = standIn.op === "value" ? (literalsIn(standIn) ?? []) : [];
    if (typeof field !== "object" || field.use.kind !== "value" || value === undefined)
      return undefined;
    return { ...field, use: { default: value, ...field.use } };
  }
  const path = pathIn(node);
  // expressions read a time as ISO text, and the index reads milliseconds
  if (path === undefined || isTimeField(path)) return undefined;
  if (!isKeptInState(path)) return path;
  const use = uses.find((one) => pathOfUse(one) === path);
  if (use === undefined) return undefined;
  const isNumber = use.kind === "value" && typeof use.default === "number";
  return { use, type: isNumber ? "number" : "text" };
}

function pathOfUse(use: StateUse): string | undefined {
  if (use.kind === "value") return `state.${use.of}.${use.name}`;
  if (use.kind === "labels") return "sender.labels";
  return use.kind === "met" ? "sender.is_new" : undefined;
}

function pathIn(node: ASTNode): string | undefined {
  if (node.op === "id") return WORKED_OUT.has(node.args) ? undefined : node.args;
  if (node.op !== "." && node.op !== ".?") return undefined;
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
