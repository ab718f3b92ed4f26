import { didYouMean } from "./did-you-mean.ts";
import type { Problem } from "./problem.ts";

/** What to put in place of a stretch of the problem's own line. */
export interface Fix {
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  readonly length: number;
  readonly text: string;
}

/** The one way to put a problem right; `undefined` where there are several, or none is certain. */
export function fixOf(problem: Problem): Fix | undefined {
  const { help = "", sourceLine } = problem;
  if (sourceLine === undefined) return undefined;
  for (const fix of FIXES) {
    const found = fix({ ...problem, help, sourceLine });
    if (found) return found;
  }
  return undefined;
}

/** The text with every fix made, and how many were. */
export function fixText(
  text: string,
  problems: readonly Problem[],
): { readonly text: string; readonly fixed: number } {
  const lines = text.split("\n");
  const taken = new Set<number>();
  for (const problem of problems) {
    const line = lines[problem.line - 1];
    const fix = taken.has(problem.line) ? undefined : fixOf(problem);
    // one fix a line and round: the next may stand elsewhere then
    if (!fix || line === undefined) continue;
    const start = fix.column - 1;
    lines[problem.line - 1] = line.slice(0, start) + fix.text + line.slice(start + fix.length);
    taken.add(problem.line);
  }
  return { text: lines.join("\n"), fixed: taken.size };
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

/** A misspelt word; a word of another tool may want another value, too, and is left. */
function slip(problem: Placed): Fix | undefined {
  const guess = /^did you mean "([^"]+)"/.exec(problem.help)?.[1];
  const whole = new Set(["unknown-key", "unknown-word", "unknown-field", "unknown-group"]);
  if (guess === undefined || !whole.has(problem.code)) return undefined;
  const token = tokenOf(problem);
  return didYouMean(token, [guess]) === guess ? replaced(problem, guess) : undefined;
}

/** `off` for false, `1_000` for 1000. */
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

/** A text that needs quotes, where it stands in the line as the help has it. */
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

/** `  - log: a` and below it `    reply_dm: b`: the two blanks become a dash and a blank. */
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
