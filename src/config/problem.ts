import { AnswerbackError } from "../errors.ts";
import { shell } from "../text/shell.ts";

/** One mistake in a file, at the position of the wrong token. */
export interface Problem {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  /** How many units the caret underlines. 1 or more. */
  readonly length: number;
  readonly severity: "error" | "warning";
  /** Stable, kebab-case: what a test or a script branches on. */
  readonly code: string;
  readonly message: string;
  /** What to write instead, ready to paste where that is known. */
  readonly help?: string | undefined;
  /** The whole line of the file. Absent when the problem has no place in a text. */
  readonly sourceLine?: string | undefined;
  /** Line with the `|` or `>` behind which the text of the problem begins; present in texts of several lines. */
  readonly blockLine?: string | undefined;
}

/** A position without a mistake. */
export type Spot = Pick<Problem, "file" | "line" | "column" | "length" | "sourceLine">;

/** A mistake without its position. */
export interface Mistake {
  readonly code: string;
  readonly message: string;
  readonly help?: string | undefined;
  readonly severity?: "error" | "warning";
}

/** A configuration that can't be used. Each line of `message` starts `file:line:column`. */
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

/** `file:line:column: severity: message [code]`, the line that editors jump from. */
export function headline(problem: Problem): string {
  const { file, line, column, severity, message, code } = problem;
  return `${file}:${line}:${column}: ${severity}: ${message} [${code}]`;
}

/** Nobody reads more at once, and most of them are one mistake made again and again. */
export const MOST_SHOWN = 50;

/** The problems to show where there are too many: errors before warnings, each in their order. */
export function mostTelling(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= MOST_SHOWN) return problems;
  const errors = problems.filter((problem) => problem.severity === "error");
  if (errors.length >= MOST_SHOWN) return errors.slice(0, MOST_SHOWN);
  const room = MOST_SHOWN - errors.length;
  const warnings = problems.filter((problem) => problem.severity === "warning").slice(0, room);
  const chosen = new Set([...errors, ...warnings]);
  return problems.filter((problem) => chosen.has(problem));
}

/** The {@link headline} of each of the {@link mostTelling}, and how many are left. */
export function headlines(problems: readonly Problem[]): readonly string[] {
  const shown = mostTelling(problems).map((problem) => headline(problem));
  const left = problems.length - shown.length;
  return left > 0 ? [...shown, andMore(left)] : shown;
}

/** What stands for the problems that are not shown. */
export function andMore(left: number): string {
  return `… and ${left} more, not shown`;
}

/** The command that says more of these problems; undefined where there are none. */
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

/** `# check: ignore CODE, CODE` at the end of a line; for a text of several lines, of the one that it begins behind. */
const IGNORE = /#\s*check:\s*ignore\s+([\w\s,-]+)$/;

/** The problems without the warnings that their own lines silence. An error can't be silenced. */
export function withoutIgnored(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ severity, sourceLine = "", blockLine = sourceLine, code }) => {
    if (severity === "error") return true;
    const codes = IGNORE.exec(blockLine.trimEnd())?.[1]?.split(/[\s,]+/) ?? [];
    return !codes.includes(code);
  });
}
