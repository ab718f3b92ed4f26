import { type AnswerbackError } from "../../errors.ts";
import { PlatformError, RateLimitError, UnreachableError } from "../errors.ts";

/** How often and after what waits a call is retried, where a repeat is safe. */
export interface RetryPolicy {
  /** Tries in all, the first included. */
  readonly tries: number;
  /** Longest wait before the second try, in milliseconds; it doubles with every further one. */
  readonly baseMs: number;
  /** Longest wait between two tries, in milliseconds. */
  readonly maxMs: number;
  /** Longest wait that the platform may ask for, by a reset or `Retry-After`; with a longer one the call fails at once. */
  readonly maxResetWaitMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  tries: 4,
  baseMs: 250,
  maxMs: 8_000,
  maxResetWaitMs: 60_000,
};

/**
 * Milliseconds to wait before the next try, or undefined when the call fails with this error.
 *
 * Only what was certainly not carried out, or is safe to repeat, is retried: 429, a request that
 * never left, and lost answers or 5xx of GET, PUT and DELETE. Waits have full jitter, so that
 * clients that failed together do not come back together.
 *
 * @param failed the number of tries that failed so far, from 1
 */
export function waitBeforeRetry(
  error: AnswerbackError,
  failed: number,
  policy: RetryPolicy,
  now: number,
  random: () => number,
): number | undefined {
  if (failed >= policy.tries || !error.retryable) return undefined;
  const transient = error instanceof PlatformError || error instanceof UnreachableError;
  if (!transient) return undefined;
  const requested = requestedWait(error, now);
  if (requested > policy.maxResetWaitMs) return undefined;
  return requested + random() * Math.min(policy.maxMs, policy.baseMs * 2 ** (failed - 1));
}

/** Milliseconds that the platform asked to wait, by `Retry-After` or by the reset of a budget; else 0. */
function requestedWait(error: PlatformError | UnreachableError, now: number): number {
  if (error instanceof UnreachableError) return 0;
  const { retryAfterMs } = error.refusal;
  if (retryAfterMs !== undefined) return retryAfterMs;
  if (!(error instanceof RateLimitError) || error.resetAt === undefined) return 0;
  return Math.max(0, error.resetAt - now);
}
