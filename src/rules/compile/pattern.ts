import { RE2JS } from "re2js";
import type { Mistake } from "../../config/problem.ts";

/** A pattern ready to be asked whether it stands in a text; linear in the text's length. */
export interface Pattern {
  readonly source: string;
  readonly test: (text: string) => boolean;
}

/** Why a pattern was refused. `offset` and `length` are within the pattern. */
export interface PatternFault {
  readonly mistake: Mistake;
  readonly offset: number;
  readonly length: number;
}

/** Compiles an RE2 pattern, or says what it can't have. */
export function compilePattern(source: string): Pattern | PatternFault {
  const refused = backtracking(source);
  if (refused) return refused;
  try {
    const machine = RE2JS.compile(source);
    const filter = literalIn(source);
    return {
      source,
      test: (text) => (filter === undefined || filter(text)) && machine.matcher(text).find(),
    };
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "";
    const part = /`(.*)`$/s.exec(reason)?.[1] ?? source;
    return {
      mistake: { code: "regex-syntax", message: `this pattern can't be read: ${reason}` },
      offset: Math.max(0, source.indexOf(part)),
      length: Math.max(1, part.length),
    };
  }
}

const LINEAR =
  "is not supported: patterns run in linear time (RE2), so no message can hang the bot";

/** Lookaround and back-references: what only a backtracking engine can do. */
function backtracking(source: string): PatternFault | undefined {
  const plain = source.replaceAll(/\\\\/g, "  ");
  const around = /\(\?(<?[=!])/.exec(plain);
  if (around) {
    const name = around[1]?.startsWith("<") === true ? "lookbehind" : "lookahead";
    const message = `${name} "${around[0]}" ${LINEAR}`;
    const rest = /^([\w ]*)/.exec(plain.slice(around.index + around[0].length))?.[1] ?? "";
    const word = rest.trim() === "" ? "…" : rest.trim();
    const help = around[0].endsWith("!")
      ? `match the positive part and exclude the rest with  not: {FIELD: {contains: ${word}}}`
      : "write what stands around it into the pattern: it needs no zero-width test";
    const mistake = { code: "regex-lookaround", message, help };
    return { mistake, offset: around.index, length: around[0].length };
  }
  const back = /(?<!\\)\\([1-9]|k<\w+>)/.exec(plain);
  if (!back) return undefined;
  const message = `the back-reference "${back[0]}" ${LINEAR}`;
  const help = "write the alternatives out, or compare two fields with  if:";
  const mistake = { code: "regex-backreference", message, help };
  return { mistake, offset: back.index, length: back[0].length };
}

/**
 * A cheap test that every match must pass: a literal that the pattern can't do without.
 *
 * Only what is certain counts: no alternation, no groups, ASCII letters, and a literal followed by
 * `*`, `?` or `{` loses its last letter.
 */
function literalIn(source: string): ((text: string) => boolean) | undefined {
  const [whole = "", flags = ""] = /^\(\?([ims]+)\)/.exec(source) ?? [];
  const body = source.slice(whole.length);
  if (/[|()[\]\\]|\(\?/.test(body) && !/^\\b[\w ]+\\b$/.test(body)) return undefined;
  const runs = body
    .replaceAll("\\b", "\u0000")
    .replaceAll(/.(?=[*?{])/gu, "\u0000")
    .replaceAll(/\{[^}]*\}/g, "\u0000")
    .match(/[A-Za-z0-9_ ]+/g);
  const longest = (runs ?? []).sort((a, b) => b.length - a.length)[0];
  if (longest === undefined || longest.length < 2) return undefined;
  if (!flags.includes("i")) return (text) => text.includes(longest);
  const folded = longest.toLowerCase();
  // two characters outside ASCII fold to ASCII letters: the Kelvin sign, which lower-casing covers, and the long s
  return (text) => {
    const lower = text.toLowerCase();
    return lower.includes(folded) || lower.replaceAll("\u017f", "s").includes(folded);
  };
}
