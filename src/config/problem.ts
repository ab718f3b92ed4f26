import { AnswerbackError } from "../errors.ts";

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
    const shown = problems.slice(0, 50).map((problem) => headline(problem));
    const left = problems.length - shown.length;
    super([...shown, ...(left > 0 ? [`… and ${left} more`] : [])].join("\n"));
    this.problems = problems;
  }
}

/** `file:line:column: severity: message [code]`, the line that editors jump from. */
export function headline(problem: Problem): string {
  const { file, line, column, severity, message, code } = problem;
  return `${file}:${line}:${column}: ${severity}: ${message} [${code}]`;
}

/** Whether any of `problems` is an error. */
export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === "error");
}
