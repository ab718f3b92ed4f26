import { AnswerbackError } from "../errors.ts";
import type { CredentialKind } from "./http/endpoint.ts";
import type { RateLimits } from "./http/rate-limits.ts";
import { storesClass } from "../system/stored-classes.ts";

interface HintOptions {
  readonly cause?: unknown;
  readonly hint?: string | undefined;
}

/** Entry of `errors` in a refusal, or in a successful response with incomplete data. */
export interface ProblemDetails {
  readonly message?: string | undefined;
  readonly title?: string | undefined;
  readonly detail?: string | undefined;
  readonly type?: string | undefined;
  /** Error code of API v1.1 or the log-in flow, such as 89 or 415. */
  readonly code?: number | string | undefined;
  readonly parameter?: string | undefined;
  readonly value?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly resourceType?: string | undefined;
}

/** Details of a refusal from the headers of the response. */
interface ResponseHeaders {
  readonly limits: RateLimits | undefined;
  /** Wait requested by the header `Retry-After`, in milliseconds from the response. */
  readonly retryAfterMs: number | undefined;
  /** The response header `x-access-level`: the permission level of the token. */
  readonly accessLevel: string | undefined;
  /** The header `x-transaction-id`, to quote to the platform's support. */
  readonly transactionId: string | undefined;
}

/** Details of a refusal, read from any of the platform's four error formats. */
export interface Refusal extends ResponseHeaders {
  /** Endpoint template, such as `POST /2/posts`. */
  readonly endpoint: string;
  readonly status: number;
  /** Name before the colon of the message, such as `DuplicateSubscriptionFailed`: webhooks and subscriptions only. */
  readonly reason: string | undefined;
  readonly title: string | undefined;
  readonly detail: string | undefined;
  /** Type of the problem, normally a URL; its last segment is {@link PlatformError.problem}. */
  readonly type: string | undefined;
  /** Error code of API v1.1 or the log-in flow, such as 89 or 415; undefined elsewhere. */
  readonly v1Code: number | undefined;
  /** Code of the advertising interface, such as `INVALID_PARAMETER`. */
  readonly adsCode: string | undefined;
  readonly problems: readonly ProblemDetails[];
  /**
   * Whether an earlier attempt of this call had an unknown outcome. The platform may have executed that attempt and
   * refused this one because of it, for example as a duplicate.
   */
  readonly afterUnknown: boolean;
}

/**
 * The platform refused the request. If it refused to refresh the access token instead, the message names the call, which
 * was not carried out, and {@link refusal} describes the refresh.
 */
export class PlatformError extends AnswerbackError {
  override readonly name: string = "PlatformError";
  readonly code: "platform-refused" | "rate-limited" = "platform-refused";
  readonly retryable: boolean;
  /**
   * `unknown` after a 5xx or 408 response to a `POST`, and after a success without data: the platform may have executed
   * the request.
   */
  readonly executed: "no" | "unknown";
  readonly refusal: Refusal;

  constructor(
    message: string,
    refusal: Refusal,
    options: HintOptions & { readonly safe: boolean },
  ) {
    super(message, options);
    this.refusal = refusal;
    const { status } = refusal;
    this.executed = (mayBeExecuted(status) || status < 300) && !options.safe ? "unknown" : "no";
    this.retryable = isTransient(status) && this.executed === "no" && this.problem !== USAGE_CAPPED;
  }

  /** HTTP status; 200 if a successful response held only errors. */
  get status(): number {
    return this.refusal.status;
  }

  /** Reason of webhook and account activity errors; undefined elsewhere. */
  get reason(): string | undefined {
    return this.refusal.reason;
  }

  /** Last segment of the refusal's `type` URL, such as `resource-not-found`; undefined for `about:blank`. */
  get problem(): string | undefined {
    const name = this.refusal.type?.split("/").pop();
    return name === "about:blank" ? undefined : name;
  }

  /**
   * Whether a proxy, firewall or CDN probably sent the refusal: its body is text, or empty. The platform's API sends
   * JSON with a title, a type or errors; only its log-in steps send text.
   */
  get isFromProxy(): boolean {
    const { title, type, problems, detail } = this.refusal;
    return detail !== undefined && [title, type, problems[0]].every((part) => part === undefined);
  }

  /** Whether the requested object does not exist, or no longer does. */
  get notFound(): boolean {
    return this.status === 404 || this.problem === "resource-not-found";
  }
}

/** Problem of a 429 that lasts until the month ends or the plan changes: the monthly post cap is reached. */
export const USAGE_CAPPED = "usage-capped";

function isTransient(status: number): boolean {
  return status === 423 || status === 429 || mayBeExecuted(status);
}

/**
 * Whether the platform may execute a request that it answers with this status. A 408 ends the wait for a request whose
 * rest may still arrive and be executed, and the advertising interface sends it for a request that it cancels.
 */
export function mayBeExecuted(status: number): boolean {
  return status >= 500 || status === 408;
}

/** The rate limit was exceeded; the request was not executed. */
export class RateLimitError extends PlatformError {
  override readonly name = "RateLimitError";
  override readonly code = "rate-limited";
  /**
   * Earliest time for a retry, in milliseconds since 1970 by the platform's clock: from `Retry-After`, else the reset
   * of the exhausted budgets. Undefined if the response has neither, and at the monthly post cap (`usage-capped`).
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

/** The platform did not respond. */
export class UnreachableError extends AnswerbackError {
  override readonly name = "UnreachableError";
  readonly code = "unreachable";
  readonly retryable: boolean;
  readonly endpoint: string;
  /** `no`: no byte left this machine. `maybe`: the platform may have executed the request. */
  readonly sent: "no" | "maybe";
  /** Cause of the failure: the connection, the time limit, or the caller (its signal or its `beforeWrite`). */
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

/** The response does not match the API: it is not JSON, has no `data`, or lacks a field that is always present. */
export class ProtocolError extends AnswerbackError {
  override readonly name: string = "ProtocolError";
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

/** The platform could not process an uploaded medium, or not in time. */
export class UnprocessedMediumError extends ProtocolError {
  override readonly name = "UnprocessedMediumError";

  constructor(message: string) {
    super(message, { endpoint: "GET /2/media/upload", status: 200 });
  }
}

/** Log-in failure. `reason` identifies the failed check. */
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

storesClass("LoginError", LoginError);

/** The credentials are incomplete, belong to a sandbox, or are of a kind that the endpoint does not accept. */
export class CredentialError extends AnswerbackError {
  override readonly name = "CredentialError";
  readonly code = "credentials";
  readonly retryable = false;
  /** Kinds that the endpoint accepts; set if the kind was wrong. */
  readonly takes: readonly CredentialKind[] | undefined;

  constructor(
    message: string,
    options: HintOptions & { readonly takes?: readonly CredentialKind[] } = {},
  ) {
    super(message, options);
    this.takes = options.takes;
  }
}
