/*
 * RE2's `\w`, `\d`, `\s` and `\b` know ASCII only. Patterns are rewritten, so that they mean letters, digits, spaces and
 * words of every script.
 */

/** Letters, marks, numbers and connectors, as members of a class. */
const WORD = String.raw`\p{L}\p{M}\p{N}\p{Pc}`;
/** Every other general category. */
const NO_WORD = String.raw`\p{C}\p{Z}\p{S}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}`;
const SPACE = String.raw`\t\n\v\f\r\x{85}\p{Z}`;
const NO_SPACE = String.raw`\p{L}\p{M}\p{N}\p{P}\p{S}\p{Cf}\p{Co}\p{Cn}\x00-\x08\x0e-\x1f\x7f-\x{84}\x{86}-\x{9f}`;

/** Members of a class by what stands for them. */
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

/** The same pattern for an engine that knows ASCII classes only: `\d` becomes `\p{Nd}`. Boundaries of words stay. */
export function withUnicodeClasses(source: string): string {
  return source.replaceAll(PIECE, (piece) => {
    if (piece.startsWith("[")) {
      return piece.replaceAll(MEMBER, (member) => membersOf(member) ?? member);
    }
    const members = membersOf(piece);
    // what is a letter in one case is one in the other; to find that out takes the engine four times as long
    return members === undefined ? piece : `(?-i:[${members}])`;
  });
}

function membersOf(name: string): string | undefined {
  return Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
}

/** Whether a pattern asks for a boundary of a word, or for none. */
export function asksForBoundary(source: string): boolean {
  return /\\[bB]/.test(source) && piecesOf(source).some(isBoundary);
}

/** The pattern without its boundaries of words: it matches whatever the pattern matches, and more. */
export function withoutBoundaries(source: string): string {
  return piecesOf(source)
    .map((piece) => (isBoundary(piece) ? "(?:)" : piece))
    .join("");
}

/** The pieces of a pattern: quoted text, escapes, classes, starts of groups, repetitions, characters. */
export function piecesOf(source: string): readonly string[] {
  return source.match(PIECE) ?? [];
}

function isBoundary(piece: string): boolean {
  return piece === "\\b" || piece === "\\B";
}

/** A space before and one behind each character of a marked text: neither is a character that a text may hold. */
const BEFORE = "\ufdd0";
const BEHIND = "\ufdd1";
/** Mark for the beginning or end of a word: a word character of ASCII on one side only. */
const FIRST_WORD = "0";
const BOUNDARY = "_";
const MARKS = /[\ufdd0\ufdd1]/g;
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}\p{Pc}]/u;

/**
 * A text in which the engine finds the boundaries of words of every script, by {@link forMarkedText}: each character
 * stands between two marks, and the second is an ASCII letter where a word begins or ends behind the character.
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

/** The length in UTF-16 units of what a part of a marked text stands for; the part begins and ends between two characters. */
export function unmarkedLength(part: string): number {
  let length = 0;
  for (let at = 1; at < part.length; at += 2) {
    const units = (part.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    length += units;
    at += units;
  }
  return length;
}

/** A pattern that matches in a {@link marked} text what `source` matches in the text. */
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
