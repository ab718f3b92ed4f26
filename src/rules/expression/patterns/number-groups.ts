import { piecesOf } from "./unicode-pattern.ts";

/** Kind of number that a group captures: digits, or digits with an optional decimal point. */
export type NumberKind = "whole" | "decimal";

/** A group that holds a number. `mayBeAbsent`: or an empty text, in matches without the group. */
export interface NumberGroup {
  readonly kind: NumberKind;
  readonly mayBeAbsent: boolean;
}

/**
 * Finds the named groups of an RE2 pattern that hold a number in each match in which they take part. Omits groups that
 * can hold an empty text: `(?P<n>\d*)`.
 */
export function numberGroups(source: string): ReadonlyMap<string, NumberGroup> {
  const { groups } = readChoice({ pieces: piecesOf(source), at: 0 });
  return new Map(groups.map(({ name, kind, mayBeAbsent }) => [name, { kind, mayBeAbsent }]));
}

/** Names of groups, and the groups that hold a number. */
interface NamedGroups {
  readonly names: readonly string[];
  readonly numbers: ReadonlyMap<string, NumberGroup>;
}

/**
 * Returns the groups that hold a number wherever they occur in several patterns. A group that is `decimal` in any
 * pattern is `decimal`.
 *
 * @param matching Whether a match is of all patterns, or of one, so that the groups of the others are absent.
 */
export function mergedNumbers(
  all: readonly NamedGroups[],
  matching: "all" | "one",
): NamedGroups["numbers"] {
  const names = new Set(all.flatMap((one) => one.names));
  const merged = new Map<string, NumberGroup>();
  for (const name of names) {
    const having = all.filter((one) => one.names.includes(name));
    const groups = having.flatMap(({ numbers }) => numbers.get(name) ?? []);
    if (groups.length < having.length) continue;
    const isMissing = matching === "one" && having.length < all.length;
    merged.set(name, {
      kind: groups.some(({ kind }) => kind === "decimal") ? "decimal" : "whole",
      mayBeAbsent: isMissing || groups.some(({ mayBeAbsent }) => mayBeAbsent),
    });
  }
  return merged;
}

interface Reader {
  readonly pieces: readonly string[];
  at: number;
}

interface NamedNumber extends NumberGroup {
  readonly name: string;
}

/** Part of a pattern, and the kind of text that it matches. */
interface Part {
  readonly takes: NumberKind | "sign" | "point" | "nothing" | "other";
  readonly mayBeEmpty: boolean;
  /** Named groups inside this part that hold a number. */
  readonly groups: readonly NamedNumber[];
}

const DIGIT = /^(?:\d|\\d|\\p\{Nd\}|\[(?:\d-\d|\d|\\d|\[:digit:\])+\])$/;
const SIGN = /^(?:-|\\-|\\\+|\[(?:[+-]|\\[+-]){1,2}\])$/;
const POINT = /^(?:\\\.|\[\.\])$/;
const NO_WIDTH = /^(?:\^|\$|\\[bBAz]|\(\?[imsU]*(?:-[imsU]+)?\))$/;
const REPETITION = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??$/;

/** Reads the alternatives `a|b` up to the end of the enclosing group. */
function readChoice(reader: Reader): Part {
  const ways = [readSequence(reader)];
  while (reader.pieces[reader.at] === "|") {
    reader.at += 1;
    ways.push(readSequence(reader));
  }
  const [first, second] = ways;
  if (second === undefined && first !== undefined) return first;
  const isNumber = ways.every(({ takes }) => takes === "whole" || takes === "decimal");
  const isWhole = ways.every(({ takes }) => takes === "whole");
  return {
    takes: isNumber ? (isWhole ? "whole" : "decimal") : "other",
    mayBeEmpty: ways.some(({ mayBeEmpty }) => mayBeEmpty),
    groups: ways.flatMap(({ groups }) => groups.map(optional)),
  };
}

function readSequence(reader: Reader): Part {
  const parts: Part[] = [];
  for (;;) {
    const piece = reader.pieces[reader.at];
    if (piece === undefined || piece === "|" || piece === ")") break;
    reader.at += 1;
    const repetition = REPETITION.exec(piece);
    const last = repetition ? parts.pop() : undefined;
    parts.push(repetition && last ? repeated(last, repetition) : readPiece(reader, piece));
  }
  return {
    takes: classifyParts(parts.filter(({ takes }) => takes !== "nothing")),
    mayBeEmpty: parts.every(({ mayBeEmpty }) => mayBeEmpty),
    groups: parts.flatMap(({ groups }) => groups),
  };
}

function readPiece(reader: Reader, piece: string): Part {
  if (NO_WIDTH.test(piece)) return { takes: "nothing", mayBeEmpty: true, groups: [] };
  if (piece.startsWith("(")) return readGroup(reader, /<(\w+)>/.exec(piece)?.[1]);
  const takes = DIGIT.test(piece)
    ? "whole"
    : SIGN.test(piece)
      ? "sign"
      : POINT.test(piece)
        ? "point"
        : "other";
  return { takes, mayBeEmpty: false, groups: [] };
}

function readGroup(reader: Reader, name: string | undefined): Part {
  const inside = readChoice(reader);
  reader.at += 1;
  const { takes, mayBeEmpty, groups } = inside;
  const isNumber = !mayBeEmpty && (takes === "whole" || takes === "decimal");
  return name !== undefined && isNumber
    ? { ...inside, groups: [...groups, { name, kind: takes, mayBeAbsent: false }] }
    : inside;
}

function repeated(part: Part, [piece = "", least, most]: RegExpExecArray): Part {
  const isOptional = piece.startsWith("*") || piece.startsWith("?") || Number(least) === 0;
  const isOnce = piece.startsWith("?") || (most ?? least) === "1";
  const isDigits = part.takes === "whole" || part.takes === "nothing";
  return {
    takes: isOnce || isDigits ? part.takes : "other",
    mayBeEmpty: part.mayBeEmpty || isOptional,
    groups: isOptional ? part.groups.map(optional) : part.groups,
  };
}

function optional(group: NamedNumber): NamedNumber {
  return { ...group, mayBeAbsent: true };
}

/** Returns the kind of text that a sequence of parts matches. A number may have one sign first, and one point. */
function classifyParts(parts: readonly Part[]): Part["takes"] {
  const [first, ...rest] = parts;
  if (first === undefined) return "nothing";
  if (rest.length === 0) return first.takes;
  const digits = first.takes === "sign" ? rest : parts;
  const points = digits.filter(({ takes }) => takes !== "whole");
  if (points.length === 0) return "whole";
  const [only, second] = points;
  const isDecimal = only?.takes === "point" || only?.takes === "decimal";
  return second === undefined &&
    isDecimal &&
    digits.some(({ takes, mayBeEmpty }) => takes !== "point" && !mayBeEmpty)
    ? "decimal"
    : "other";
}
