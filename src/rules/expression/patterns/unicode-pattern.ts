/*
 * RE2's `\w`, `\d`, `\s` and `\b` cover only ASCII. This file rewrites patterns to cover letters, digits, spaces and words
 * of every script.
 */

/** Members of the class of word characters: letters, marks, numbers and connectors. */
const WORD = String.raw`\p{L}\p{M}\p{N}\p{Pc}`;
/** Members of the class of all other characters: the remaining general categories. */
const NO_WORD = String.raw`\p{C}\p{Z}\p{S}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}`;
const SPACE = String.raw`\t\n\v\f\r\x{85}\p{Z}`;
const NO_SPACE = String.raw`\p{L}\p{M}\p{N}\p{P}\p{S}\p{Cf}\p{Co}\p{Cn}\x00-\x08\x0e-\x1f\x7f-\x{84}\x{86}-\x{9f}`;

/** Members of a class by the escape or name of the class. */
const MEMBERS: Readonly<Record<string, string>> = {
  "\\w": WORD,
  "\\W": NO_WORD,
  "\\d": String.raw`\p{Nd}`,
  "\\D": String.raw`\P{Nd}`,
  "\\s": SPACE,
  "\\S": NO_SPACE,
  "[:word:]": WORD,
  "[:^word:]": NO_WORD,
  "[:alpha:]": String.raw`\p{L}\p{M}`,
  "[:alnum:]": String.raw`\p{L}\p{M}\p{N}`,
  "[:digit:]": String.raw`\p{Nd}`,
  "[:^digit:]": String.raw`\P{Nd}`,
  "[:space:]": SPACE,
  "[:^space:]": NO_SPACE,
  "[:upper:]": String.raw`\p{Lu}`,
  "[:lower:]": String.raw`\p{Ll}`,
};

/** Piece of a pattern: quoted text, an escape, a class, the start of a group, a repetition, or a character. */
const PIECE =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|.)|\\x(?:\{[^}]*\}|[\dA-Fa-f]{2})|\\[0-7]{1,3}|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|\((?:\?(?:P?<\w+>|[imsU]*(?:-[imsU]+)?[:)]))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/gu;
const MEMBER = /\[:\^?\w+:\]|\\[\s\S]/gu;

/** Rewrites a pattern for an engine with only ASCII classes: `\d` becomes `\p{Nd}`. Word boundaries are unchanged. */
export function withUnicodeClasses(source: string): string {
  return source.replaceAll(PIECE, (piece) => {
    if (piece.startsWith("[")) {
      return piece.replaceAll(MEMBER, (member) => membersOf(member) ?? member);
    }
    const members = membersOf(piece);
    // these classes contain each letter in upper and lower case; ignoring case would make RE2 take four times as long
    return members === undefined ? piece : `(?-i:[${members}])`;
  });
}

function membersOf(name: string): string | undefined {
  return Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
}

/** Returns whether a pattern contains `\b` or `\B`. */
export function asksForBoundary(source: string): boolean {
  return /\\[bB]/.test(source) && piecesOf(source).some(isBoundary);
}

/** Removes word boundaries: the result matches every text that the pattern matches, and more. */
export function withoutBoundaries(source: string): string {
  return piecesOf(source)
    .map((piece) => (isBoundary(piece) ? "(?:)" : piece))
    .join("");
}

/** Splits a pattern into quoted text, escapes, classes, starts of groups, repetitions and characters. */
export function piecesOf(source: string): readonly string[] {
  return source.match(PIECE) ?? [];
}

function isBoundary(piece: string): boolean {
  return piece === "\\b" || piece === "\\B";
}

/** Marks before and after each character of a marked text. They are noncharacters, which texts can't contain. */
const BEFORE = "\ufdd0";
const BEHIND = "\ufdd1";
/** Marks at the beginning and end of words: ASCII word characters, next to which the engine finds `\b`. */
const FIRST_WORD = "0";
const BOUNDARY = "_";
const MARKS = /[\ufdd0\ufdd1]/g;
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}\p{Pc}]/u;

/**
 * Marks a text so that the engine finds word boundaries of every script, see {@link forMarkedText}. Each character is
 * between two marks; the second mark is an ASCII word character if a word begins or ends after the character.
 */
export function marked(text: string): string {
  let written = "";
  let character = "";
  let isInWord = false;
  for (const next of text.replaceAll(MARKS, "\ufffd")) {
    const isWord = WORD_CHARACTER.test(next);
    if (character === "") written = isWord ? FIRST_WORD : BEFORE;
    else written += character + (isWord === isInWord ? BEHIND : BOUNDARY) + BEFORE;
    character = next;
    isInWord = isWord;
  }
  return character === "" ? "" : written + character + (isInWord ? BOUNDARY : BEHIND);
}

/** Returns the original length, in UTF-16 units, of a part of a marked text. The part contains whole characters. */
export function unmarkedLength(part: string): number {
  let length = 0;
  for (let at = 1; at < part.length; at += 2) {
    const units = (part.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    length += units;
    at += units;
  }
  return length;
}

/** Rewrites a pattern to match in a {@link marked} text what `source` matches in the original text. */
export function forMarkedText(source: string): string {
  return piecesOf(source).map(markedPiece).join("");
}

const NO_CHARACTER = /^(?:\(|\)|\||\^|\$|\\[bBAz]$|\\E$|(?:[*+?]|\{\d+(?:,\d*)?\})\??$)/;

function markedPiece(piece: string): string {
  if (piece.startsWith("\\Q")) {
    return Array.from(piece.slice(2).replace(/\\E$/, ""), (one) =>
      inMarks(one.replace(/[^\p{L}\p{N}\s]/u, "\\$&")),
    ).join("");
  }
  return NO_CHARACTER.test(piece) ? piece : inMarks(piece);
}

function inMarks(piece: string): string {
  return String.raw`(?:[\x{FDD0}0]${piece}[_\x{FDD1}])`;
}
