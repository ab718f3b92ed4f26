import type { Mistake } from "../../../config/problem.ts";

/** Reason why a pattern is rejected. `offset` and `length` are within the pattern. */
export interface PatternFault {
  readonly mistake: Mistake;
  readonly offset: number;
  readonly length: number;
}

/** Returns a hint that corrects the part of a pattern that RE2 rejected, chosen by RE2's reason. */
export function helpForPattern(reason: string, part: string): string {
  const helpEntry = HELPS.find(([said]) => reason.startsWith(said));
  return helpEntry ? helpEntry[1](part) : `to match it literally, escape it: ${escaped(part)}`;
}

const HELPS: readonly (readonly [string, (part: string) => string])[] = [
  ["missing closing )", (part) => `close it: ${part})`],
  ["missing closing ]", (part) => `close it: ${part.replace(/-$/, "")}]`],
  ["unexpected )", () => "to match it literally, escape it: \\)"],
  ["missing argument", (part) => `to match it literally, escape it: ${escaped(part)}`],
  ["invalid nested repetition", (part) => `write one of the two: ${part.slice(0, 1)}`],
  ["invalid character class range", turnedRound],
  ["invalid repeat count", () => "write 1000 at most, or * for any number"],
  ["invalid or unsupported Perl", (part) => `write a plain group: ${part.replace(/\?.*/s, "")}`],
  ["invalid named capture", () => "write a name of letters, digits and _: (?P<name>…)"],
  ["invalid escape", (part) => `write the character without its backslash: ${part.slice(1)}`],
];

function turnedRound(part: string): string {
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
