import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from "yaml";
import type { Mistake, Problem } from "./problem.ts";
import { spotIn, type TextPart } from "./yaml/spot-in-text.ts";
import { lineEnd } from "./yaml/yaml-lines.ts";
import { localProblems } from "./yaml/local-problems.ts";
import type { Torn } from "./yaml/torn.ts";
import { firstTorn, MAX_NESTING, NESTED_TOO_DEEP } from "./yaml/yaml-syntax.ts";
import { CUT_TEXT } from "./yaml/torn-text.ts";
import type { Trap } from "./yaml/trap.ts";
import { type AnchorNames, anchorNames, trapOf, trapOfKey } from "./yaml/yaml-traps.ts";

/** Steps from the root of a document: keys and indexes. */
export type Path = readonly PropertyKey[];

/** A parsed YAML text: its value and positions. */
export interface YamlDocument {
  readonly file: string;
  readonly text: string;
  /** Plain data, without inherited keys. `undefined` if the text is unreadable. */
  readonly value: unknown;
  /** Mistakes in the YAML text, such as a bad indentation, in order; mistakes against a schema are not included. */
  readonly problems: readonly Problem[];
  /** Returns the problem for `mistake` at the value of `path`, or at the nearest parent of `path` that exists. */
  problemAt(path: Path, mistake: Mistake, part?: Part): Problem;
  /** Source text of the scalar at `path`; `undefined` if it is not a scalar. */
  sourceAt(path: Path): string | undefined;
  /** First and last line of the value at `path`, counted from 1. */
  linesOf(path: Path): readonly [first: number, last: number];
}

/** Part of a YAML node at which a problem points: its value, its key, or a token of its text. */
export type Part = "value" | "key" | TextPart;

/**
 * Decides whether the text from a `#` without a blank after it on is a comment.
 *
 * @param value Value before the `#`, as YAML reads it.
 * @param whole Value with the text from the `#` on.
 */
type IsComment = (path: Path, value: unknown, whole: string) => boolean;

/**
 * Reads `source` as strict YAML 1.2: without aliases, anchors, tags or a second document.
 *
 * @param file Name in problems; the file is not read.
 * @param isComment Absent: a `#` without a blank after it belongs to the value, and is a problem.
 */
export function readYaml(source: string, file: string, isComment?: IsComment): YamlDocument {
  // A CR alone is a line break in YAML, too; the package `yaml` reads it as a character.
  const text = source.replace(/^\uFEFF/, "").replaceAll(/\r(?!\n)/g, "\n");
  const foreign = notText(text);
  const { document, lines, torn, isReadable } = parseAround(text);
  const place = (start: number, end: number, mistake: Mistake): Problem => {
    const { line, col } = lines.linePos(start);
    const { severity = "error", ...rest } = mistake;
    const lineStart = lines.lineStarts[line - 1] ?? 0;
    const sourceLine = text.slice(lineStart, lineEnd(text, lineStart));
    const rowLeft = Math.max(1, sourceLine.length - col + 1);
    const length = Math.max(1, Math.min(end - start, rowLeft));
    return { file, line, column: col, length, severity, sourceLine, ...rest };
  };
  const traps: Trap[] = foreign.length > 0 ? foreign : [...torn];
  let names: AnchorNames | undefined;
  const repeatedKeys: number[] = [];
  const allNames = (): AnchorNames => (names ??= anchorNames(document));
  const reader = { text, names: allNames, traps, repeatedKeys, isComment };
  const isWhole = isReadable && foreign.length === 0;
  const value = isWhole ? toValue(document.contents, reader) : undefined;
  const local = isWhole ? localProblems(document.errors, repeatedKeys, text, place) : [];
  const reportedLines = new Set(local.map((problem) => problem.line));
  const all = [...local];
  for (const { start, end, mistake } of traps) {
    const problem = place(start, end, mistake);
    if (!reportedLines.has(problem.line)) all.push(problem);
    reportedLines.add(problem.line);
  }
  return {
    file,
    text,
    value,
    problems: all.sort((a, b) => a.line - b.line || a.column - b.column),
    problemAt(path, mistake, part = "value") {
      const [start, end] = rangeAt(document, path, part, text);
      const problem = place(start, end, mistake);
      const node = typeof part === "object" ? nodeAt(document, path) : null;
      if (!isScalar(node) || !node.range || !BLOCK.has(String(node.type))) return problem;
      return { ...problem, blockLine: place(node.range[0], end, mistake).sourceLine };
    },
    sourceAt(path) {
      const node = nodeAt(document, path);
      if (!isScalar(node) || !node.range) return undefined;
      return node.type === "PLAIN" ? text.slice(node.range[0], node.range[1]) : String(node.value);
    },
    linesOf(path) {
      const [start, end] = rangeAt(document, path, "value", text);
      return [lines.linePos(start).line, lines.linePos(Math.max(start, end - 1)).line];
    },
  };
}

/** Types of block scalars, whose text begins in the line after `|` or `>`. */
const BLOCK: ReadonlySet<string> = new Set(["BLOCK_LITERAL", "BLOCK_FOLDED"]);

/** Finds signs of another encoding: U+FFFD replaces bytes that are not UTF-8, and UTF-16 leaves zeros. */
function notText(text: string): Trap[] {
  const start = text.search(/[\uFFFD\0]/);
  if (start < 0) return [];
  const message =
    text[start] === "\0"
      ? "this is a NUL character, as in files with the encoding UTF-16"
      : "these bytes are not UTF-8";
  const mistake = { code: "not-utf8", message, help: "save the file as UTF-8" };
  return [{ start, end: start + 1, mistake }];
}

/** Maximum number of YAML mistakes that are covered to parse the rest. A file with more mistakes is no rule file. */
const MAX_TORN = 50;
/**
 * Bounds the characters that are parsed again, since each covered mistake costs a parse of the whole text. Three
 * mistakes are always covered.
 */
const MAX_PARSED_AGAIN = 500_000;

interface Parsed {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly torn: readonly Torn[];
  /** Whether the text could be read to its end in spite of its mistakes. */
  readonly isReadable: boolean;
}

/**
 * Parses `text`. If YAML misreads a value as structure, the value is covered with filler and the text is parsed again.
 * The rest of the file is then read as intended. Positions in the text do not change.
 */
function parseAround(text: string): Parsed {
  const torn: Torn[] = [];
  let covered = text;
  const most = Math.min(MAX_TORN, 3 + Math.floor(MAX_PARSED_AGAIN / (text.length + 1)));
  for (;;) {
    const lines = new LineCounter();
    // The package `yaml` compares each key of a map with all others, in quadratic time; `toValue` finds duplicates
    // itself.
    const options = { lineCounter: lines, keepSourceTokens: false, uniqueKeys: false };
    const document = parseDocument(covered, options);
    const tornPart = firstTorn(document.errors, covered);
    if (!tornPart) return { document, lines, torn, isReadable: true };
    torn.push(tornPart);
    if (!tornPart.cover || torn.length >= most) return { document, lines, torn, isReadable: false };
    const { start, end, fill } = tornPart.cover;
    covered = covered.slice(0, start) + fill.repeat(end - start) + covered.slice(end);
  }
}

interface Reader {
  readonly text: string;
  readonly names: () => AnchorNames;
  /** Mistakes in the text that were found while reading it. */
  readonly traps: Trap[];
  /** Offsets of duplicate keys of a map. */
  readonly repeatedKeys: number[];
  readonly isComment: IsComment | undefined;
}

/** Prototype of all maps. It inherits nothing; `String(map)` returns JSON, and does not throw, in messages about a wrong value. */
const MAP: object = Object.create(null, {
  [Symbol.toPrimitive]: {
    value(this: object) {
      return JSON.stringify(this);
    },
  },
});

/** Converts a node to plain data. */
function toValue(node: Node | null, reader: Reader, path: Path = []): unknown {
  if (node === null) return null;
  if (path.length > MAX_NESTING) {
    const [start = 0] = node.range ?? [];
    reader.traps.push({ start, end: start + 1, mistake: NESTED_TOO_DEEP });
    return null;
  }
  const { text, names, traps, repeatedKeys } = reader;
  const trap = trapOf(node, text, names);
  if (isScalar(node) && trap?.mistake.code === CUT_TEXT) {
    if (reader.isComment?.(path, node.value, String(trap.meant)) === true) return node.value;
  }
  if (trap) traps.push(trap);
  if (trap?.meant !== undefined) return trap.meant;
  if (isAlias(node)) return null;
  if (isScalar(node)) return node.value;
  if (isSeq(node)) {
    return node.items.map((item, index) => toValue(asNode(item), reader, [...path, index]));
  }
  const value: Record<string, unknown> = Object.create(MAP);
  if (!isMap(node)) return value;
  const keys = new Set<unknown>();
  for (const pair of node.items) {
    const key = pair.key;
    if (isScalar(key) && key.range) {
      if (keys.has(key.value)) repeatedKeys.push(key.range[0]);
      keys.add(key.value);
    }
    const keyTrap = trapOfKey(pair, text);
    if (keyTrap) traps.push(keyTrap);
    const name = isScalar(key) && key.range ? text.slice(key.range[0], key.range[1]) : undefined;
    const step = isScalar(key) && typeof key.value === "string" ? key.value : (name ?? "?");
    value[step] = toValue(asNode(pair.value), reader, [...path, step]);
  }
  return value;
}

function asNode(value: unknown): Node | null {
  return isAlias(value) || isScalar(value) || isMap(value) || isSeq(value) ? value : null;
}

/** Start and end offset of `part` at `path`, or of the nearest parent of `path` that exists. */
function rangeAt(document: Document, path: Path, part: Part, text: string): [number, number] {
  for (let depth = path.length; depth >= 0; depth--) {
    const exact = depth === path.length;
    const nodeRange = rangeOf(document, path.slice(0, depth), exact && part === "key");
    if (!nodeRange) continue;
    if (exact && typeof part === "object") {
      const spot = spotIn(text.slice(nodeRange[0], nodeRange[1]), part);
      if (spot) return [nodeRange[0] + spot.start, nodeRange[0] + spot.end];
    }
    return nodeRange;
  }
  return [0, 1];
}

function rangeOf(document: Document, path: Path, wantsKey: boolean): [number, number] | undefined {
  if (wantsKey) {
    const parent = nodeAt(document, path.slice(0, -1));
    const key = isMap(parent) ? pairsOf(parent).get(String(path.at(-1)))?.key : undefined;
    if (isScalar(key) && key.range) return [key.range[0], key.range[1]];
  }
  const node = nodeAt(document, path);
  return node?.range ? [node.range[0], node.range[1]] : undefined;
}

/** The node at a path; null if there is none. */
function nodeAt(document: Document, path: Path): Node | null {
  let node = asNode(document.contents);
  for (const step of path) {
    if (isMap(node)) node = asNode(pairsOf(node).get(String(step))?.value);
    else if (isSeq(node)) node = asNode(node.items[Number(step)]);
    else return null;
  }
  return node;
}

/** Cache of a map's pairs by key, for files with thousands of mistakes. */
const pairsByMap = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

function pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
  const stored = pairsByMap.get(map);
  if (stored) return stored;
  const pairs = new Map<string, Pair>();
  for (const pair of map.items) {
    const name = isScalar(pair.key) ? String(pair.key.value) : undefined;
    if (name !== undefined && !pairs.has(name)) pairs.set(name, pair);
  }
  pairsByMap.set(map, pairs);
  return pairs;
}
