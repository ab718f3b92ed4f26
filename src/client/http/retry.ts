import { type AnswerbackError } from "../../errors.ts";
import { PlatformError, RateLimitError, UnreachableError } from "../errors.ts";

/** Number and waits of the retries of a call. Only calls that are safe to repeat are retried. */
export interface RetryPolicy {
  /** Maximum number of attempts, including the first. */
  readonly tries: number;
  /** Maximum random backoff before the second attempt, in milliseconds; doubled for each further attempt. */
  readonly baseMs: number;
  /** Maximum random backoff before any attempt, in milliseconds. A wait that the platform requests is added to it. */
  readonly maxMs: number;
  /**
   * Longest wait in milliseconds that the platform may request, by `Retry-After` or by the reset of a rate limit. After
   * a request for a longer wait, the call fails at once.
   */
  readonly maxResetWaitMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  tries: 4,
  baseMs: 250,
  maxMs: 8_000,
  maxResetWaitMs: 60_000,
};

/**
 * Milliseconds to wait before the next attempt; undefined if the call fails with this error.
 *
 * Retries only calls that were certainly not executed or are safe to repeat: 429, a request that was never sent, and lost
 * responses, 408 or 5xx of GET, PUT and DELETE. Waits have full jitter, so that
 * clients that failed together do not retry together.
 *
 * @param failed Number of failed attempts so far, from 1.
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

/** Wait requested by the platform, by `Retry-After` or by the reset of a budget, in milliseconds; else 0. */
function requestedWait(error: PlatformError | UnreachableError, now: number): number {
  if (error instanceof UnreachableError) return 0;
  const { retryAfterMs } = error.refusal;
  if (retryAfterMs !== undefined) return retryAfterMs;
  if (!(error instanceof RateLimitError) || error.resetAt === undefined) return 0;
  return Math.max(0, error.resetAt - now);
}
