/**
 * Base of every error this toolkit throws on purpose.
 *
 * Branch on `code`: it is public and stable. `message` is for people and may change; it never holds
 * a token or a secret.
 */
export abstract class AnswerbackError extends Error {
  abstract override readonly name: string;
  abstract readonly code: string;
  /** Whether the same call may succeed later without any change. */
  abstract readonly retryable: boolean;
  /** Remedy in one sentence, if there is one. */
  readonly hint: string | undefined;

  constructor(message: string, options?: ErrorOptions & { readonly hint?: string | undefined }) {
    super(message, options);
    this.hint = options?.hint;
  }
}

/** The operator's request can't be carried out: a bad flag, a busy port, a missing file. */
export class UsageError extends AnswerbackError {
  override readonly name = "UsageError";
  readonly code = "usage";
  readonly retryable: boolean;

  constructor(
    message: string,
    options?: ErrorOptions & { readonly hint?: string | undefined; readonly retryable?: boolean },
  ) {
    super(message, options);
    this.retryable = options?.retryable ?? false;
  }
}
