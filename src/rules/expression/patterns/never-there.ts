import type { PatternFault } from "./pattern-help.ts";
import { piecesOf } from "./unicode-pattern.ts";

const AS_IT_CAME = "add  cased: true  to search the text as it came";

/**
 * Rejects what tidied text does not have: line breaks, tabs, runs of white space, and white space at its ends. The pattern
 * would silently never match.
 */
export function neverThere(source: string): PatternFault | undefined {
  return escapeNeverThere(source) ?? linesNeverThere(source) ?? spaceNeverThere(source);
}

/** Finds an escape such as `\n`. A negated class may have one: the class matches other characters. */
function escapeNeverThere(source: string): PatternFault | undefined {
  let offset = 0;
  for (const piece of piecesOf(source)) {
    const escape = /^(?!\[\^)(?:[^\\]|\\[^nrtfv])*(\\[nrtfv])/.exec(piece);
    const [whole = "", token = ""] = escape ?? [];
    if (escape !== null && !piece.startsWith("\\Q")) {
      const message = `"${token}" is never in the text: a run of white space is one space`;
      const at = offset + whole.length - token.length;
      return faultAt(at, token, message, `write \\s for white space, or ${AS_IT_CAME}`);
    }
    offset += piece.length;
  }
  return undefined;
}

/** Finds multi-line mode in a pattern with `^` or `$`. */
function linesNeverThere(source: string): PatternFault | undefined {
  const pieces = piecesOf(source);
  const mode = pieces.find((piece) => /^\(\?[isU]*m/.test(piece));
  if (mode === undefined || !pieces.some((piece) => /^[$^]$/.test(piece))) return undefined;
  const message = `"${mode}" finds no lines: in the searched text, a line break is a space`;
  return faultAt(source.indexOf(mode), mode, message, `remove it, or ${AS_IT_CAME}`);
}

const SPACE = /^(?: |\\ |\\s|\[(?: |\\s|\[:space:\])\])$/;
const REPETITION = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??$/;
const START = /^(?:\^|\\A)$/;
const END = /^(?:\$|\\z)$/;

/** Finds two characters of white space in a row, or one at an end of the text, in a pattern without alternatives. */
function spaceNeverThere(source: string): PatternFault | undefined {
  const parts = outerParts(source);
  const needed = parts.map(({ text, least }) => SPACE.test(text) && least > 0);
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    const isTwice = needed[index] === true && (part.least > 1 || needed[index + 1] === true);
    const isFirst = START.test(part.text) && needed[index + 1] === true;
    const isLast = needed[index] === true && END.test(next?.text ?? "");
    if (!isTwice && !isFirst && !isLast) continue;
    const end = isTwice && part.least > 1 ? part.end : (next?.end ?? part.end);
    const token = source.slice(part.at, end);
    const reason = isTwice ? "a run of white space is one space" : "its ends have no white space";
    const help = `${isTwice ? "write \\s+" : "remove the white space"}, or ${AS_IT_CAME}`;
    return faultAt(part.at, token, `"${token}" is never in the text: ${reason}`, help);
  }
  return undefined;
}

/** Part of a pattern outside of its groups, with its repetition. `least`: how often it occurs at least. */
interface OuterPart {
  readonly text: string;
  readonly least: number;
  readonly at: number;
  readonly end: number;
}

/** Returns the parts of a pattern outside of its groups; none if the pattern has alternatives. */
function outerParts(source: string): readonly OuterPart[] {
  const parts: OuterPart[] = [];
  let depth = 0;
  let at = 0;
  for (const text of piecesOf(source)) {
    const end = at + text.length;
    const repetition = REPETITION.exec(text);
    const last = parts.at(-1);
    if (text.startsWith("(") && !text.endsWith(")")) depth += 1;
    if (depth === 0 && text === "|") return [];
    if (depth === 0 && repetition && last) {
      const least = text.startsWith("+") ? 1 : Number(repetition[1] ?? 0);
      parts.splice(-1, 1, { ...last, least, end });
    } else if (depth === 0) parts.push({ text, least: 1, at, end });
    if (text === ")") {
      depth -= 1;
      if (depth === 0) parts.push({ text, least: 1, at, end });
    }
    at = end;
  }
  return parts;
}

function faultAt(offset: number, token: string, message: string, help: string): PatternFault {
  const mistake = { code: "regex-never-matches", message, help };
  return { mistake, offset, length: token.length };
}
