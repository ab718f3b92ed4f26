import { piecesOf } from "./unicode-pattern.ts";

/** Kind of number that a group captures: digits, or digits with an optional decimal point. */
export type NumberKind = "whole" | "decimal";

/**
 * Finds the named groups of an RE2 pattern that always hold a number. Omits groups that can be empty or absent in a
 * match: `(?P<n>\d*)`, `(?P<n>\d+)?`.
 */
export function numberGroups(source: string): ReadonlyMap<string, NumberKind> {
  const groups = new Map<string, NumberKind>();
  const read = readChoice({ pieces: piecesOf(source), at: 0 });
  for (const { name, kind } of read.groups) groups.set(name, kind);
  return groups;
}

/**
 * Returns the named groups that hold a number in each of several patterns. A group that is `decimal` in any pattern is
 * `decimal`.
 */
export function numbersInAll(
  all: readonly ReadonlyMap<string, NumberKind>[],
): ReadonlyMap<string, NumberKind> {
  const [first = new Map<string, NumberKind>(), ...rest] = all;
  return new Map(
    [...first]
      .filter(([name]) => rest.every((one) => one.has(name)))
      .map(([name]) => [
        name,
        all.some((one) => one.get(name) === "decimal") ? "decimal" : "whole",
      ]),
  );
}

interface Reader {
  readonly pieces: readonly string[];
  at: number;
}

interface NamedNumber {
  readonly name: string;
  readonly kind: NumberKind;
}

/** Part of a pattern, and the kind of text that it matches. */
interface Part {
  readonly takes: NumberKind | "sign" | "point" | "nothing" | "other";
  readonly mayBeEmpty: boolean;
  /** Named groups inside this part that hold a number in each match. */
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
    groups: [],
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
    ? { ...inside, groups: [...groups, { name, kind: takes }] }
    : inside;
}

function repeated(part: Part, [piece = "", least, most]: RegExpExecArray): Part {
  const isOptional = piece.startsWith("*") || piece.startsWith("?") || Number(least) === 0;
  const isOnce = piece.startsWith("?") || (most ?? least) === "1";
  const isDigits = part.takes === "whole" || part.takes === "nothing";
  return {
    takes: isOnce || isDigits ? part.takes : "other",
    mayBeEmpty: part.mayBeEmpty || isOptional,
    groups: isOptional ? [] : part.groups,
  };
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
