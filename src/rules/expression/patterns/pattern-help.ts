import type { Mistake } from "../../../config/problem.ts";
import { piecesOf } from "./unicode-pattern.ts";

/** Reason why a pattern is rejected. `offset` and `length` are within the pattern. */
export interface PatternFault {
  readonly mistake: Mistake;
  readonly offset: number;
  readonly length: number;
}

/** Returns a hint that corrects the part of a pattern that RE2 rejected, chosen by RE2's reason. */
export function helpForPattern(reason: string, part: string, source: string): string {
  const helpEntry = HELPS.find(([said]) => reason.startsWith(said));
  return helpEntry
    ? helpEntry[1](part, source)
    : `to match it literally, escape it: ${escaped(part)}`;
}

const HELPS: readonly (readonly [string, (part: string, source: string) => string])[] = [
  ["missing closing )", (part) => `close it: ${part})`],
  ["missing closing ]", (part) => `close it: ${part.replace(/-$/, "")}]`],
  ["unexpected )", () => "to match it literally, escape it: \\)"],
  ["missing argument", (part) => `to match it literally, escape it: ${escaped(part)}`],
  [
    "invalid nested repetition",
    (part) =>
      `write one of the two: ${part.slice(0, 1)}, or to match both literally: ${escaped(part)}`,
  ],
  ["invalid character class range", turnedRound],
  ["invalid repeat count", helpForCount],
  ["invalid or unsupported Perl", helpForGroup],
  ["invalid named capture", () => "write a name of letters from a to z, digits and _: (?P<name>…)"],
  ["duplicate capture group", () => "give the second group another name"],
  ["invalid escape", helpForEscape],
];

function helpForCount(part: string): string {
  const [, least = "", most = ""] = /^\{(\d+),(\d+)\}$/.exec(part) ?? [];
  return Number(least) > Number(most) && Number(least) <= 1_000 && most !== ""
    ? `write {${most},${least}}`
    : "write 1000 at most, or * for any number";
}

function helpForGroup(part: string): string {
  const [flags] = /^\(\?[imsU-]+/.exec(part) ?? [];
  if (flags !== undefined) return `close it: ${flags})`;
  return /^\(\?[#x]/.test(part)
    ? "leave it out"
    : `write a plain group: ${part.replace(/\?.*/s, "")}`;
}

/** Escapes of other dialects, with their equivalents. */
const EQUIVALENTS: Readonly<Record<string, string>> = { "\\h": "\\s", "\\R": "\\s", "\\Z": "$" };

function helpForEscape(part: string, source: string): string {
  const equivalent = Object.hasOwn(EQUIVALENTS, part) ? EQUIVALENTS[part] : undefined;
  if (equivalent !== undefined) return `write  ${equivalent}`;
  const [, inBraces, number = inBraces] =
    /\\u(?:\{([\dA-Fa-f]{1,6})\}|([\dA-Fa-f]{4}))/.exec(source) ?? [];
  if (part === "\\u" && number !== undefined) return `write  \\x{${number}}`;
  if (/^\\[dDwWsS]$/.test(part)) return `write the - last, to match it literally: [${part}-]`;
  return /^\\[a-z]/i.test(part)
    ? `RE2 has no ${part}: write the characters that it stands for`
    : `write the character without its backslash: ${part.slice(1)}`;
}

function turnedRound(part: string): string {
  const [, script] = /^\\[pP]\{(?:script=|sc=|is)(\w+)\}$/i.exec(part) ?? [];
  if (script !== undefined) return `write  \\p{${script}}`;
  if (/^\\p/i.test(part)) {
    return "write the short name of a category, or a script: \\p{L}, \\p{Greek}";
  }
  const [, from, to] = /^(.)-(.)$/.exec(part) ?? [];
  return from === undefined ? "write the lower character first" : `write ${to}-${from}`;
}

function escaped(part: string): string {
  return part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Reports slashes around a pattern, as other languages require them: here they would be part of the pattern. */
export function slashesAround(source: string): PatternFault | undefined {
  const [, inner] = /^\/(.+)\/[gimsuy]*$/s.exec(source) ?? [];
  if (inner === undefined || inner.includes("/")) return undefined;
  return {
    mistake: {
      code: "slashes-in-pattern",
      message: "the slashes would be part of the pattern",
      help: `write '${inner}', or '[/]${inner}/' if they belong to it`,
    },
    offset: 0,
    length: source.length,
  };
}

/** Reports an alternative without characters at the top of a pattern, as in `hi|`: it matches every text. */
export function emptyAlternative(source: string): PatternFault | undefined {
  let depth = 0;
  let before = "|";
  for (const piece of [...piecesOf(source), "|"]) {
    if (depth === 0 && piece === "|" && before === "|" && source !== "") {
      const message = "the pattern has an empty alternative, which matches every text";
      const help = String.raw`remove the |, or escape it: \|`;
      return {
        mistake: { code: "regex-syntax", message, help },
        offset: 0,
        length: source.length,
      };
    }
    // a piece such as `(?i)` sets flags and opens no group
    if (piece.startsWith("(") && !piece.endsWith(")")) depth += 1;
    else if (piece === ")") depth -= 1;
    before = piece;
  }
  return undefined;
}
