import { didYouMean } from "../text/did-you-mean.ts";
import type { Problem } from "./problem.ts";

/** Replacement of a range in the problem's line. */
export interface Fix {
  /** Column, counted from 1, in UTF-16 units. */
  readonly column: number;
  readonly length: number;
  readonly text: string;
}

/** Returns a problem's only certain fix; `undefined` if there are several, or none. */
export function fixOf(problem: Problem): Fix | undefined {
  const { help = "", sourceLine } = problem;
  if (sourceLine === undefined) return undefined;
  for (const fix of FIXES) {
    const suggestedFix = fix({ ...problem, help, sourceLine });
    if (suggestedFix) return suggestedFix;
  }
  return undefined;
}

/** Applies the certain fixes of problems to a text, at most one in each line, and counts them. */
export function fixText(
  text: string,
  problems: readonly Problem[],
): { readonly text: string; readonly fixed: number } {
  // positions don't count a byte order mark
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const lines = text.slice(mark.length).split("\n");
  const fixedLines = new Set<number>();
  for (const problem of problems) {
    const line = lines[problem.line - 1];
    const fix = fixedLines.has(problem.line) ? undefined : fixOf(problem);
    // a single fix per line and round, because it may move the positions of other problems
    if (!fix || line === undefined) continue;
    const start = fix.column - 1;
    lines[problem.line - 1] = line.slice(0, start) + fix.text + line.slice(start + fix.length);
    fixedLines.add(problem.line);
  }
  return { text: mark + lines.join("\n"), fixed: fixedLines.size };
}

type Placed = Problem & { readonly help: string; readonly sourceLine: string };

const FIXES: readonly ((problem: Placed) => Fix | undefined)[] = [
  slip,
  value,
  operator,
  quotes,
  dash,
  blank,
];

/** Corrects a misspelt word. Words of other tools, such as `triggers` for `on`, stay: their values may be wrong too. */
function slip(problem: Placed): Fix | undefined {
  const guess = /^did you mean "([^"]+)"/.exec(problem.help)?.[1];
  const whole = new Set(["unknown-key", "unknown-word", "unknown-field", "unknown-group"]);
  if (guess === undefined || !whole.has(problem.code)) return undefined;
  const token = tokenOf(problem);
  return didYouMean(token, [guess]) === guess ? replaced(problem, guess) : undefined;
}

/** Fixes values: `off` to false, `1_000` to 1000. */
function value(problem: Placed): Fix | undefined {
  const [, wanted] = /^write (true|false|-?[\d.]+)$/.exec(problem.help) ?? [];
  const isCertain = ["not-a-boolean", "wrong-type", "operand-type"].includes(problem.code);
  return wanted !== undefined && isCertain ? replaced(problem, wanted) : undefined;
}

function operator(problem: Placed): Fix | undefined {
  const [, wanted] = /^use (&&|\|\||!=?|==)$/.exec(problem.help) ?? [];
  if (wanted === undefined || problem.code !== "expr-operator") return undefined;
  return replaced(problem, wanted);
}

/** Adds the quotes that the help text suggests, if the line contains the text without them. */
function quotes(problem: Placed): Fix | undefined {
  const said = /^(?:quote it|quote the (?:whole )?(?:text|value)|use single quotes): (.+)$/;
  const rest = said.exec(problem.help)?.[1];
  const quoted = /^("(?:\\.|[^"\\])*"|'(?:''|[^'])*')/.exec(rest ?? "")?.[0];
  if (quoted === undefined) return undefined;
  const bare = quoted.startsWith('"')
    ? String(JSON.parse(quoted))
    : quoted.slice(1, -1).replaceAll("''", "'");
  const written = problem.help.startsWith("use single") ? `"${bare}"` : bare;
  const at = problem.sourceLine.indexOf(written);
  const from = problem.column - 1;
  const covers = at >= 0 && at <= from && from < at + written.length;
  return covers ? { column: at + 1, length: written.length, text: quoted } : undefined;
}

/** Adds the missing dash of a list item: `    reply_dm: b` below `  - log: a` becomes `  - reply_dm: b`. */
function dash(problem: Placed): Fix | undefined {
  const before = problem.sourceLine.slice(0, problem.column - 1);
  if (problem.code !== "mis-indented-step" || !/^ {2,}$/.test(before)) return undefined;
  return { column: problem.column - 2, length: 2, text: "- " };
}

function blank(problem: Placed): Fix | undefined {
  if (problem.code !== "blank-after-colon") return undefined;
  return { column: problem.column + problem.length, length: 0, text: " " };
}

function replaced({ column, length }: Placed, text: string): Fix {
  return { column, length, text };
}

function tokenOf({ sourceLine, column, length }: Placed): string {
  return sourceLine.slice(column - 1, column - 1 + length);
}
