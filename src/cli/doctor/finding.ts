import { AnswerbackError } from "../../errors.ts";

/** What one check found. */
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly told: string;
  /** A command or a step that mends it. */
  readonly mend?: string;
}

export function ok(name: string, told: string): Finding {
  return { name, state: "ok", told };
}

export function warn(name: string, told: string, mend: string): Finding {
  return { name, state: "warn", told, mend };
}

export function fail(name: string, told: string, mend: string): Finding {
  return { name, state: "fail", told, mend };
}

/** A check that stumbled over an error tells it as its finding; `mend` stands in for a missing hint. */
export function failed(name: string, error: unknown, mend: string): Finding {
  if (!(error instanceof AnswerbackError)) return fail(name, String(error), mend);
  return fail(name, error.message, error.hint ?? mend);
}
