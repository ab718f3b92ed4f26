import { AnswerbackError, UsageError } from "../errors.ts";

/** How a command ends; the same for every command. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  found: 3,
  auth: 4,
  unreachable: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A command ran to its end and wants another exit code than 0; what there was to say is said. */
export class Ended extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Nothing answers where something should run. */
export class NotRunningError extends AnswerbackError {
  override readonly name = "NotRunningError";
  readonly code = "E_NOT_RUNNING";
  readonly retryable = true;
}

/** The exit code that tells a script whose fault `error` is. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof Ended) return error.exitCode;
  if (error instanceof UsageError) return EXIT.usage;
  if (!(error instanceof AnswerbackError)) return EXIT.failure;
  if (error.code === "E_PLATFORM_REFUSED" && isAboutRights(error)) return EXIT.auth;
  return BY_CODE[error.code] ?? EXIT.failure;
}

function isAboutRights(error: AnswerbackError): boolean {
  return "status" in error && (error.status === 401 || error.status === 403);
}

const BY_CODE: Readonly<Record<string, ExitCode>> = {
  E_CONFIG: EXIT.found,
  E_CREDENTIALS: EXIT.auth,
  E_LOGIN: EXIT.auth,
  E_SEAL: EXIT.auth,
  E_UNREACHABLE: EXIT.unreachable,
  E_NOT_RUNNING: EXIT.unreachable,
};
