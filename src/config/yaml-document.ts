import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLParseError,
} from "yaml";
import type { Mistake, Problem } from "./problem.ts";
import { syntaxProblems, tornValue, trapOf } from "./yaml-traps.ts";

/** Steps from the root of a document: keys and indexes. */
export type Path = readonly PropertyKey[];

/** A parsed YAML text: its value, and the position of everything in it. */
export interface YamlDocument {
  readonly file: string;
  readonly text: string;
  /** Plain data, without prototypes. `undefined` when the text can't be read as YAML. */
  readonly value: unknown;
  /** Faults of the text itself, in the order of the file. */
  readonly problems: readonly Problem[];
  /** The problem `mistake` at the value of `path`, or at its nearest parent. */
  problemAt(path: Path, mistake: Mistake, part?: Part): Problem;
  /** The source text of the scalar at `path`; `undefined` when it is not a scalar. */
  sourceAt(path: Path): string | undefined;
  /** First and last line of the value at `path`, counted from 1. */
  linesOf(path: Path): readonly [first: number, last: number];
}

/** Which part of the node at a path a problem points at. */
export type Part =
  | "value"
  | "key"
  | {
      /** Text to find in the value's source. */
      readonly text: string;
      /** Where in that text the wrong token starts. 0 unless given. */
      readonly offset?: number;
      /** Length of the wrong token. To the end of the text unless given. */
      readonly length?: number;
    };

/**
 * Reads `text` as YAML 1.2, strictly: no aliases, anchors, tags or second document.
 *
 * @param file Shown in problems; nothing is read from it.
 */
export function readYaml(text: string, file: string): YamlDocument {
  const { document, lines, torn } = parseAround(text);
  const sourceLines = text.split(/\r?\n/);
  const place = (start: number, end: number, mistake: Mistake): Problem => {
    const { line, col } = lines.linePos(start);
    const { severity = "error", ...rest } = mistake;
    const sourceLine = sourceLines[line - 1] ?? "";
    const rowLeft = Math.max(1, sourceLine.length - col + 1);
    const length = Math.max(1, Math.min(end - start, rowLeft));
    return { file, line, column: col, length, severity, sourceLine, ...rest };
  };
  const { problems, readable } = syntaxProblems([...torn, ...document.errors], text, place);
  const traps: Problem[] = [];
  const value = readable ? toValue(document.contents, text, traps, place) : undefined;
  const taken = new Set(problems.map((problem) => problem.line));
  const all = [...problems, ...traps.filter((trap) => !taken.has(trap.line))];
  return {
    file,
    text,
    value,
    problems: all.sort((a, b) => a.line - b.line || a.column - b.column),
    problemAt(path, mistake, part = "value") {
      const [start, end] = rangeAt(document, path, part, text);
      return place(start, end, mistake);
    },
    sourceAt(path) {
      const node = document.getIn(path, true);
      if (!isScalar(node) || !node.range) return undefined;
      return node.type === "PLAIN" ? text.slice(node.range[0], node.range[1]) : String(node.value);
    },
    linesOf(path) {
      const [start, end] = rangeAt(document, path, "value", text);
      return [lines.linePos(start).line, lines.linePos(Math.max(start, end - 1)).line];
    },
  };
}

/** A file with more mistakes of this kind is not a rule file. */
const MAX_TORN = 50;

/**
 * Parses `text`; a value that YAML takes for structure is covered up and parsing starts again, so
 * that the rest of the file is read as it is meant. Every place in the text stays where it is.
 */
function parseAround(text: string): {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly torn: readonly YAMLParseError[];
} {
  const torn: YAMLParseError[] = [];
  let covered = text;
  for (;;) {
    const lines = new LineCounter();
    const document = parseDocument(covered, { lineCounter: lines, keepSourceTokens: false });
    const found = tornValue(document.errors, covered);
    if (!found || torn.length >= MAX_TORN) return { document, lines, torn };
    torn.push(found.error);
    const { start, end } = found;
    covered = covered.slice(0, start) + "x".repeat(end - start) + covered.slice(end);
  }
}

type Place = (start: number, end: number, mistake: Mistake) => Problem;

/** The plain value of a node; every trap found is added to `traps`. */
function toValue(node: Node | null, text: string, traps: Problem[], place: Place): unknown {
  if (node === null) return null;
  const trap = trapOf(node, text);
  if (trap) traps.push(place(trap.start, trap.end, trap.mistake));
  if (isAlias(node)) return null;
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map((item) => toValue(asNode(item), text, traps, place));
  const value: Record<string, unknown> = Object.create(null);
  if (!isMap(node)) return value;
  for (const pair of node.items) {
    const key = pair.key;
    const name = isScalar(key) && key.range ? text.slice(key.range[0], key.range[1]) : undefined;
    value[isScalar(key) && typeof key.value === "string" ? key.value : (name ?? "?")] = toValue(
      asNode(pair.value),
      text,
      traps,
      place,
    );
  }
  return value;
}

function asNode(value: unknown): Node | null {
  return isAlias(value) || isScalar(value) || isMap(value) || isSeq(value) ? value : null;
}

/** Start and end offset of what `part` names at `path`, or of its nearest parent that exists. */
function rangeAt(document: Document, path: Path, part: Part, text: string): [number, number] {
  for (let depth = path.length; depth >= 0; depth--) {
    const exact = depth === path.length;
    const found = rangeOf(document, path.slice(0, depth), exact && part === "key");
    if (!found) continue;
    if (exact && typeof part === "object") {
      const { text: sought, offset = 0, length = sought.length - offset } = part;
      const start = text.indexOf(sought, found[0]);
      if (start >= 0 && start <= found[1]) return [start + offset, start + offset + length];
    }
    return found;
  }
  return [0, 1];
}

function rangeOf(document: Document, path: Path, wantsKey: boolean): [number, number] | undefined {
  if (wantsKey) {
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    const name = String(path.at(-1));
    const pair = isMap(parent) ? parent.items.find((item) => keyName(item) === name) : undefined;
    if (pair && isScalar(pair.key) && pair.key.range) return [pair.key.range[0], pair.key.range[1]];
  }
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  const known = asNode(node);
  return known?.range ? [known.range[0], known.range[1]] : undefined;
}

function keyName(pair: Pair): string | undefined {
  return isPair(pair) && isScalar(pair.key) ? String(pair.key.value) : undefined;
}
