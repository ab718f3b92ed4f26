import { AnswerbackError, UsageError } from "../errors.ts";

/** Exit codes of all commands. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  problems: 3,
  auth: 4,
  unreachable: 5,
  /** The thread of the store ended unexpectedly (EX_SOFTWARE in sysexits.h). A restart helps. */
  died: 70,
  /** A file of the store or of the accounts can't be used (EX_IOERR in sysexits.h). A restart does not help. */
  store: 74,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Error that ends a command with an exit code other than 0. The command has already printed everything. */
export class ExitError extends Error {
  override readonly name = "ExitError";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Error if the bot or the sandbox that a command needs is not running. */
export class NotRunningError extends AnswerbackError {
  override readonly name = "NotRunningError";
  readonly code = "not-running";
  readonly retryable = true;
}

/** Returns the exit code for an error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof ExitError) return error.exitCode;
  // A supervisor starts the bot again after a failure, but not after a usage error.
  if (error instanceof UsageError) return error.retryable ? EXIT.failure : EXIT.usage;
  if (!(error instanceof AnswerbackError)) return EXIT.failure;
  if (error.code === "platform-refused" && isAuthorizationRefusal(error)) return EXIT.auth;
  return BY_CODE[error.code] ?? EXIT.failure;
}

function isAuthorizationRefusal(error: AnswerbackError): boolean {
  return "status" in error && (error.status === 401 || error.status === 403);
}

const BY_CODE: Readonly<Record<string, ExitCode>> = {
  config: EXIT.problems,
  credentials: EXIT.auth,
  login: EXIT.auth,
  seal: EXIT.auth,
  unreachable: EXIT.unreachable,
  "control-unproven": EXIT.unreachable,
  "not-running": EXIT.unreachable,
  "store-old": EXIT.unreachable,
  "store-died": EXIT.died,
  "store-corrupt": EXIT.store,
  "store-gone": EXIT.store,
  "store-moved": EXIT.store,
  "store-schema": EXIT.store,
  "accounts-file": EXIT.store,
};
