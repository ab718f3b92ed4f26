import { tidy } from "../../../text/fold.ts";
import type { PatternFault } from "./pattern-help.ts";
import { piecesOf } from "./unicode-pattern.ts";

/**
 * Token of a pattern: quoted text, an escape, a class, a sequence of joined emoji (which counts as one character), or a
 * character. A joiner between emoji is a token of its own where one of them is in a class or group.
 */
const TOKEN =
  /\\Q(?<quoted>[\s\S]*?)(?:\\E|$)|\\[\s\S]|(?<members>\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\])|\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*)*|(?<joiner>\u200d(?:(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*\u200d)|(?<=[\])}*+?]\u200d)(?=[[(]|\p{Extended_Pictographic})))|[\s\S]/gu;

/** Token of a class: a range, a class by name, an escape, or a character. */
const MEMBER =
  /(?:\\[\s\S]|[^\\])-(?:\\[\s\S]|[^\\])|\[:\^?\w+:\]|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\[\s\S]|[\s\S]/gu;

const JOINER = "\u200d";
const REPETITION = /^(?:[*+?]|\{\d)/;

/** ASCII punctuation, which RE2 allows after a backslash. It refuses a backslash before `_` or any other character. */
const ASCII_SIGNS = /[!-/:-@[-^`{-~]/g;

/**
 * Replaces every character of a pattern by its tidied form. A result that has a meaning in patterns is escaped. A
 * repetition after a sign such as `…`, whose tidied form has several characters, repeats all of them.
 */
export function plainLetters(source: string): string {
  const written = withoutCodes(source);
  if (/^[ -~]*$/.test(written)) return written;
  const composed = written.normalize("NFC");
  let plain = "";
  for (const { 0: token, index, groups } of composed.matchAll(TOKEN)) {
    const { quoted, members, joiner } = groups ?? {};
    if (quoted !== undefined) plain += `\\Q${tidy(quoted)}\\E`;
    else if (members !== undefined) plain += plainClass(members);
    else if (joiner !== undefined || token.startsWith("\\")) plain += token;
    else {
      const isRepeated = isLong(token) && REPETITION.test(composed.slice(index + token.length));
      plain += isRepeated ? `(?:${tidiedSign(token)})` : tidiedSign(token);
    }
  }
  // half-width forms of a letter and its mark become one character, as in the text
  return plain.normalize("NFC");
}

const CODE = String.raw`\\x(?:\{[\dA-Fa-f]{1,6}\}|[\dA-Fa-f]{2})`;
const CODE_IN_CLASS = new RegExp(
  String.raw`(${CODE})-(${CODE})|[^\\]-${CODE}|${CODE}-[^\]]|${CODE}|\\[\s\S]`,
  "gu",
);
/** Maximum number of characters for which a range of codes, such as `[\x{2010}-\x{2015}]`, is written out. */
const MAX_RANGE = 100;

/** Replaces codes such as `\x{2019}` by their characters if tidied texts have these characters in another form. */
function withoutCodes(source: string): string {
  if (!source.includes("\\x")) return source;
  const pieces = piecesOf(source).map((piece) => {
    if (piece.startsWith("\\x")) return changed(piece) ?? piece;
    return piece.startsWith("[") ? classWithoutCodes(piece) : piece;
  });
  return pieces.join("");
}

function classWithoutCodes(source: string): string {
  return source.replaceAll(CODE_IN_CLASS, (whole: string, from?: string, to?: string) => {
    const [first, last] = from === undefined ? [whole, whole] : [from, to ?? ""];
    if (changed(first) === undefined || changed(last) === undefined) return whole;
    const size = codeOf(last) - codeOf(first) + 1;
    if (size < 1 || size > MAX_RANGE) return whole;
    const all = Array.from({ length: size }, (_, index) =>
      String.fromCodePoint(codeOf(first) + index),
    );
    const isRefused = source.startsWith("[^") && all.some(isLong);
    return isRefused ? whole : all.filter((one) => tidy(one) !== "").join("");
  });
}

/** Returns the character of a code outside ASCII if its tidied form is another one, or if it joins the letter before. */
function changed(written: string): string | undefined {
  const code = new RegExp(`^${CODE}$`).test(written) ? codeOf(written) : 0;
  if (code < 0x80 || code > 0x10_ffff) return undefined;
  const letter = String.fromCodePoint(code);
  const tidied = tidy(letter);
  return tidied !== "" && (tidied !== letter || /\p{M}/u.test(letter)) ? letter : undefined;
}

function codeOf(written: string): number {
  return Number.parseInt(written.replaceAll(/^\\x\{?|\}$/g, ""), 16);
}

function tidiedSign(sign: string): string {
  const tidied = tidy(sign);
  return tidied === sign ? sign : tidied.replaceAll(ASCII_SIGNS, "\\$&");
}

/** Returns whether a token is one character whose tidied form has several, such as `™`. */
function isLong(token: string): boolean {
  return Array.from(token).length === 1 && Array.from(tidy(token)).length > 1;
}

/** Replaces the members of a class by their tidied forms: `[™®]` becomes `(?:TM|[®])`. */
function plainClass(source: string): string {
  const { opening, members } = membersOf(source);
  const long = opening === "[" ? members.filter(isLong) : [];
  const rest = members.filter((one) => !long.includes(one)).map(plainMember);
  if (long.length === 0) return `${opening}${rest.join("")}]`;
  const [first = "", ...others] = rest;
  const shorter = `[${first === "^" ? "\\^" : first}${others.join("")}]`;
  return `(?:${[...long.map(tidiedSign), ...(first === "" ? [] : [shorter])].join("|")})`;
}

function plainMember(member: string): string {
  if (member.startsWith("\\") || member === JOINER) return member;
  return Array.from(member, tidiedSign).join("");
}

function membersOf(source: string) {
  const [opening = "["] = /^\[\^?/.exec(source) ?? [];
  return { opening, members: source.slice(opening.length, -1).match(MEMBER) ?? [] };
}

/**
 * Rejects members of a class that match no tidied text as meant: a range from or to a sign such as `½`, whose tidied
 * form has several characters, and such a sign in a negated class that does not exclude each of these characters.
 */
export function longSignInClass(source: string): PatternFault | undefined {
  for (const { index, groups } of source.matchAll(TOKEN)) {
    const written = groups?.["members"] ?? "";
    const { opening, members } = membersOf(written);
    const sign = members
      .flatMap((member) => longSigns(member, opening === "[" ? undefined : members))
      .at(0);
    if (sign === undefined) continue;
    const message = `"${sign}" can't be in this class: in the searched text, it is "${tidy(sign)}"`;
    const help = "remove it from the class, or add  cased: true  to search the text as it came";
    return {
      mistake: { code: "regex-never-matches", message, help },
      offset: index + written.indexOf(sign),
      length: sign.length,
    };
  }
  return undefined;
}

/** Returns the signs that a member of a class can't have. `excluded`: all members, if the class is negated. */
function longSigns(member: string, excluded: readonly string[] | undefined): readonly string[] {
  if (/^[^\\[].*-./u.test(member)) return Array.from(member).filter(isLong);
  if (excluded === undefined || !isLong(member)) return [];
  return Array.from(tidy(member)).every((one) => excluded.includes(one)) ? [] : [member];
}
