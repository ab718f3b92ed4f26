import { AnswerbackError } from "../errors.ts";
import { shell } from "../text/shell.ts";
import { storesClass } from "../system/stored-classes.ts";

/** A mistake in a file, at the position of the wrong token. */
export interface Problem {
  readonly file: string;
  /** Line number, counted from 1. */
  readonly line: number;
  /** Column, counted from 1, in UTF-16 units. */
  readonly column: number;
  /** Number of UTF-16 units that the caret underlines, at least 1. */
  readonly length: number;
  readonly severity: "error" | "warning";
  /** Stable kebab-case code for tests and scripts. */
  readonly code: string;
  readonly message: string;
  /** Correction; ready to paste if the exact text is known. */
  readonly help?: string | undefined;
  /** The whole line of the file. Absent if the problem has no position in a text. */
  readonly sourceLine?: string | undefined;
  /** Line with the `|` or `>` that begins the problem's block text; absent outside block texts. */
  readonly blockLine?: string | undefined;
}

/** A position in a file. */
export type Spot = Pick<Problem, "file" | "line" | "column" | "length" | "sourceLine">;

/** A mistake without its position. */
export interface Mistake {
  readonly code: string;
  readonly message: string;
  readonly help?: string | undefined;
  readonly severity?: "error" | "warning";
}

/** The configuration is invalid. Each line of `message` starts with `file:line:column`. */
export class ConfigError extends AnswerbackError {
  override readonly name = "ConfigError";
  readonly code = "config";
  readonly retryable = false;
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(headlines(problems).join("\n"), { hint: explainedBy(problems) });
    this.problems = problems;
  }
}

storesClass("ConfigError", ConfigError, ["problems"]);

/** Formats a problem as `file:line:column: severity: message [code]`, which editors can link. */
export function headline(problem: Problem): string {
  const { file, line, column, severity, message, code } = problem;
  return `${file}:${line}:${column}: ${severity}: ${message} [${code}]`;
}

/** Maximum number of problems that are shown. A longer list mostly repeats one mistake. */
export const MAX_SHOWN_PROBLEMS = 50;

/** Selects the problems to show if there are too many: errors before warnings, in the original order. */
export function mostTelling(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= MAX_SHOWN_PROBLEMS) return problems;
  const errors = problems.filter((problem) => problem.severity === "error");
  if (errors.length >= MAX_SHOWN_PROBLEMS) return errors.slice(0, MAX_SHOWN_PROBLEMS);
  const room = MAX_SHOWN_PROBLEMS - errors.length;
  const warnings = problems.filter((problem) => problem.severity === "warning").slice(0, room);
  const chosen = new Set([...errors, ...warnings]);
  return problems.filter((problem) => chosen.has(problem));
}

/** Returns the {@link headline} of each problem to show, and a line with the number of the other problems. */
export function headlines(problems: readonly Problem[]): readonly string[] {
  const shown = mostTelling(problems).map((problem) => headline(problem));
  const hiddenCount = problems.length - shown.length;
  return hiddenCount > 0 ? [...shown, andMore(hiddenCount)] : shown;
}

/** Notice of problems that are not shown. */
export function andMore(hiddenCount: number): string {
  return `… and ${hiddenCount} more, not shown`;
}

/** Returns the command that explains the problems; undefined if there are none. */
export function explainedBy(problems: readonly Problem[]): string | undefined {
  const [code, ...others] = new Set(problems.map((problem) => problem.code));
  if (code === undefined) return undefined;
  const command =
    others.length === 0
      ? shell`answerback explain ${code}`
      : `answerback explain CODE, such as ${code}`;
  return `why, with an example: ${command}`;
}

/** Whether any of `problems` is an error. */
export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === "error");
}

/** `# check: ignore CODE, CODE` at the end of a line; for a block text, at the end of the line that begins it. */
const IGNORE = /#\s*check:\s*ignore\s+([\w\s,-]+)$/;

/** Removes warnings about a line with a comment `# check: ignore CODE`. Errors can't be ignored. */
export function withoutIgnored(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ severity, sourceLine = "", blockLine = sourceLine, code }) => {
    if (severity === "error") return true;
    const codes = IGNORE.exec(blockLine.trimEnd())?.[1]?.split(/[\s,]+/) ?? [];
    return !codes.includes(code);
  });
}
