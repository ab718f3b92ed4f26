import { AnswerbackError } from "../../errors.ts";

/** What one check found. */
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly message: string;
  /** A command or a step that fixes it. */
  readonly fix?: string;
  /** What was asked, what came back, how far it came: a line each. */
  readonly details?: readonly string[];
}

export function ok(name: string, message: string): Finding {
  return { name, state: "ok", message };
}

export function warn(name: string, message: string, fix: string): Finding {
  return { name, state: "warn", message, fix };
}

export function fail(name: string, message: string, fix: string): Finding {
  return { name, state: "fail", message, fix };
}

/** The finding of a check that threw; `fix` is for errors without a hint. */
export function failed(name: string, error: unknown, fix: string): Finding {
  if (!(error instanceof AnswerbackError)) return fail(name, String(error), fix);
  return fail(name, error.message, error.hint ?? fix);
}

/** A finding as `doctor --json` prints it; its keys are part of the command's contract. */
export function jsonFinding({ name, state, message, fix, details }: Finding): object {
  return {
    name,
    state,
    message,
    ...(fix === undefined ? {} : { fix }),
    ...(details === undefined ? {} : { details }),
  };
}
