import { AnswerbackError } from "../../errors.ts";
import { messageOf } from "../../system/error-message.ts";

/** Result of one check of `doctor`. */
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly message: string;
  /** Command or step that fixes the problem. */
  readonly fix?: string;
  /** Details for `doctor --live`, one line each, such as the request and its response. */
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

/** Finding of a check that threw an error. `fix` is used if the error has no hint. */
export function failed(name: string, error: unknown, fix: string): Finding {
  if (!(error instanceof AnswerbackError)) return fail(name, reasonOf(error), fix);
  return fail(name, error.message, error.hint ?? fix);
}

/** Text of an error. The error of `fetch` for a failed connection has its reason only in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof TypeError ? error.cause : undefined;
  return cause instanceof Error ? `the connection failed (${messageOf(cause)})` : String(error);
}

/** Converts a finding to its form in `doctor --json`. The keys are part of the command's contract. */
export function jsonFinding({ name, state, message, fix, details }: Finding): object {
  return {
    name,
    state,
    message,
    ...(fix === undefined ? {} : { fix }),
    ...(details === undefined ? {} : { details }),
  };
}
