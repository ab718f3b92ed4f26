import { andMore, explainedBy, headline, mostTelling, type Problem } from "./problem.ts";
import { counted } from "../text/counted.ts";
import { printable, visible } from "../text/unseen.ts";

/** Colours of the parts of a message; absent parts stay plain. */
export interface Paint {
  readonly error?: (text: string) => string;
  readonly warning?: (text: string) => string;
  readonly faint?: (text: string) => string;
}

/**
 * Renders problems for people: place, message, the source line with a caret under the wrong token, and a help line.
 * Ends with the count and a command for more information.
 *
 * @param paint Colours; default none.
 */
export function renderProblems(problems: readonly Problem[], paint: Paint = {}): string {
  if (problems.length === 0) return "";
  const shown = mostTelling(problems);
  const hiddenCount = problems.length - shown.length;
  const rest = hiddenCount > 0 ? [andMore(hiddenCount)] : [];
  const blocks = shown.map((problem) => renderProblem(problem, paint));
  const more = (paint.faint ?? plain)(explainedBy(problems) ?? "");
  return [...blocks, ...rest, `${countLine(problems)}\n${more}`].join("\n\n");
}

/** Renders a problem as several lines, without a final line break. */
export function renderProblem(problem: Problem, paint: Paint = {}): string {
  const strong = paint[problem.severity] ?? plain;
  const faint = paint.faint ?? plain;
  const lines = [strong(visible(headline(problem)))];
  if (problem.sourceLine !== undefined) {
    const gutter = `${String(problem.line).padStart(4)} | `;
    const { before, marked, after } = partsOf(problem.sourceLine, problem);
    const indent = before.replaceAll(/[^\t]/g, " ");
    const caret = `^${"~".repeat(Math.max(0, marked.length - 1))}`;
    lines.push(faint(gutter) + before + marked + after);
    lines.push(faint(`${" ".repeat(gutter.length - 2)}| `) + indent + strong(caret));
  }
  if (problem.help !== undefined) lines.push(faint("     = ") + `help: ${visible(problem.help)}`);
  return lines.join("\n");
}

/** Number of characters that are shown before and after the start of a problem, because a line may be very long. */
const SHOWN_BEFORE = 120;
const SHOWN_BEHIND = 160;

/**
 * Returns the parts of a line before, at and after a problem. Invisible characters are escaped, which lengthens the
 * parts.
 */
function partsOf(line: string, { column, length }: Pick<Problem, "column" | "length">) {
  const start = column - 1;
  const from = start > SHOWN_BEFORE ? start - SHOWN_BEFORE : 0;
  const to = start + SHOWN_BEHIND;
  const end = Math.min(start + length, to);
  return {
    before: (from > 0 ? "…" : "") + printable(line.slice(from, start), false),
    marked: printable(line.slice(start, end), false),
    after: printable(line.slice(end, to), false) + (to < line.length ? "…" : ""),
  };
}

function countLine(problems: readonly Problem[]): string {
  const errors = problems.filter((problem) => problem.severity === "error").length;
  const warnings = problems.length - errors;
  const files = new Set(problems.map((problem) => problem.file)).size;
  const parts: string[] = [];
  if (errors > 0) parts.push(counted(errors, "error"));
  if (warnings > 0) parts.push(counted(warnings, "warning"));
  return `${parts.join(" and ")} in ${counted(files, "file")}`;
}

function plain(text: string): string {
  return text;
}
