import { AnswerbackError } from "../errors.ts";
import type { CredentialKind } from "./http/endpoint.ts";
import type { RateLimits } from "./http/rate-limits.ts";

interface HintOptions {
  readonly cause?: unknown;
  readonly hint?: string | undefined;
}

/** One entry of a refusal's `errors`, or of the `errors` beside partly found data. */
export interface ProblemDetails {
  readonly message?: string | undefined;
  readonly title?: string | undefined;
  readonly detail?: string | undefined;
  readonly type?: string | undefined;
  /** Of the 1.1 interface and the log-in flow, such as 89 or 415. */
  readonly code?: number | string | undefined;
  readonly parameter?: string | undefined;
  readonly value?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly resourceType?: string | undefined;
}

/** The details of a refusal, whichever of the platform's four error shapes it came in. */
export interface Refusal {
  /** Endpoint template, such as `POST /2/posts`. */
  readonly endpoint: string;
  readonly status: number;
  /** Reason before the colon of webhook and account activity errors, such as `DuplicateSubscriptionFailed`. */
  readonly reason: string | undefined;
  readonly title: string | undefined;
  readonly detail: string | undefined;
  /** The problem's type: a URL, or its last segment's name in {@link PlatformError.problem}. */
  readonly type: string | undefined;
  /** Code of the 1.1 interface and the log-in flow. */
  readonly v1Code: number | undefined;
  /** Code of the advertising interface, such as `INVALID_PARAMETER`. */
  readonly adsCode: string | undefined;
  readonly problems: readonly ProblemDetails[];
  readonly limits: RateLimits | undefined;
  /** What the header `Retry-After` asks to wait, in milliseconds from the answer on. */
  readonly retryAfterMs: number | undefined;
  /** The header `x-access-level`. */
  readonly accessLevel: string | undefined;
  /** The header `x-transaction-id`, to quote to the platform's support. */
  readonly transactionId: string | undefined;
  /** An earlier try of this same call had an unknown outcome, so it may be the cause of this refusal. */
  readonly afterUnknown: boolean;
}

/** The platform answered and refused. */
export class PlatformError extends AnswerbackError {
  override readonly name: string = "PlatformError";
  readonly code: "platform-refused" | "rate-limited" = "platform-refused";
  readonly retryable: boolean;
  /** `unknown` after a 5xx to a write: it may have been carried out all the same. */
  readonly executed: "no" | "unknown";
  readonly refusal: Refusal;

  constructor(
    message: string,
    refusal: Refusal,
    options: HintOptions & { readonly safe: boolean },
  ) {
    super(message, options);
    this.refusal = refusal;
    this.executed = refusal.status >= 500 && !options.safe ? "unknown" : "no";
    this.retryable = isTransient(refusal.status) && this.executed === "no";
  }

  /** HTTP status; 200 where the answer held nothing but errors. */
  get status(): number {
    return this.refusal.status;
  }

  /** Reason of webhook and account activity errors; undefined elsewhere. */
  get reason(): string | undefined {
    return this.refusal.reason;
  }

  /** Last segment of the problem's type, such as `resource-not-found`; undefined for `about:blank`. */
  get problem(): string | undefined {
    const name = this.refusal.type?.split("/").pop();
    return name === "about:blank" ? undefined : name;
  }

  /** Whether the requested object does not exist, or no longer does. */
  get notFound(): boolean {
    return this.status === 404 || this.problem === "resource-not-found";
  }
}

function isTransient(status: number): boolean {
  return status === 408 || status === 423 || status === 429 || status >= 500;
}

/** Too many requests: this one was not carried out. */
export class RateLimitError extends PlatformError {
  override readonly name = "RateLimitError";
  override readonly code = "rate-limited";
  /**
   * When to come back, milliseconds since 1970 by the platform's clock: by `Retry-After` where the answer
   * has one, else when the exhausted budgets are reset; undefined when the answer has neither.
   */
  readonly resetAt: number | undefined;

  constructor(
    message: string,
    refusal: Refusal,
    options: HintOptions & { readonly resetAt?: number | undefined },
  ) {
    super(message, refusal, { ...options, safe: true });
    this.resetAt = options.resetAt;
  }
}

/** No answer came. */
export class UnreachableError extends AnswerbackError {
  override readonly name = "UnreachableError";
  readonly code = "unreachable";
  readonly retryable: boolean;
  readonly endpoint: string;
  /** `no`: nothing left this machine. `maybe`: the platform may have carried it out. */
  readonly sent: "no" | "maybe";
  /** What ended it: the connection, the time limit, or the caller (its signal or its `beforeWrite`). */
  readonly ended: "connection" | "timeout" | "caller";

  constructor(
    message: string,
    options: HintOptions & {
      readonly endpoint: string;
      readonly sent: "no" | "maybe";
      readonly ended: "connection" | "timeout" | "caller";
      /** Whether the call may be repeated although its outcome is unknown. */
      readonly safe: boolean;
    },
  ) {
    super(message, options);
    this.endpoint = options.endpoint;
    this.sent = options.sent;
    this.ended = options.ended;
    this.retryable = options.ended !== "caller" && (options.sent === "no" || options.safe);
  }
}

/** An answer came that the interface does not describe: not JSON, no `data`, a default field missing. */
export class ProtocolError extends AnswerbackError {
  override readonly name = "ProtocolError";
  readonly code = "protocol";
  readonly retryable = false;
  readonly endpoint: string;
  readonly status: number;

  constructor(
    message: string,
    options: HintOptions & { readonly endpoint: string; readonly status: number },
  ) {
    super(message, options);
    this.endpoint = options.endpoint;
    this.status = options.status;
  }
}

/** A log-in failed; `reason` says why. */
export class LoginError extends AnswerbackError {
  override readonly name = "LoginError";
  readonly code = "login";
  readonly retryable = false;
  readonly reason:
    | "denied"
    | "callback-not-confirmed"
    | "token-mismatch"
    | "state-mismatch"
    | "verifier-missing"
    | "refused";

  constructor(message: string, options: HintOptions & { readonly reason: LoginError["reason"] }) {
    super(message, options);
    this.reason = options.reason;
  }
}

/** The credentials can't be used: incomplete, a sandbox's, or of a kind that the endpoint does not take. */
export class CredentialError extends AnswerbackError {
  override readonly name = "CredentialError";
  readonly code = "credentials";
  readonly retryable = false;
  /** Kinds that the endpoint takes, if the kind was wrong. */
  readonly takes: readonly CredentialKind[] | undefined;

  constructor(
    message: string,
    options: HintOptions & { readonly takes?: readonly CredentialKind[] } = {},
  ) {
    super(message, options);
    this.takes = options.takes;
  }
}
