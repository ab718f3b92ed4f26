import { type AnswerbackError } from "../errors.ts";
import { PlatformError, RateLimitError, UnreachableError } from "./errors.ts";

/** How often and how patiently a call is tried again, where a repeat is safe. */
export interface RetryPolicy {
  /** Tries in all, the first included. */
  readonly tries: number;
  /** Longest wait before the second try, in milliseconds; it doubles with every further one. */
  readonly baseMs: number;
  /** Longest wait between two tries, in milliseconds. */
  readonly maxMs: number;
  /** Longest wait for a rate limit to start anew; a later reset is the caller's matter. */
  readonly maxResetWaitMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  tries: 4,
  baseMs: 250,
  maxMs: 8_000,
  maxResetWaitMs: 60_000,
};

/**
 * Milliseconds to wait before trying again, or undefined when this failure is the caller's.
 *
 * Only what surely was not carried out, or does no harm twice, is tried again: 429, a request that
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
  const jitter = random() * Math.min(policy.maxMs, policy.baseMs * 2 ** (failed - 1));
  if (!(error instanceof RateLimitError) || error.resetAt === undefined) return jitter;
  const untilReset = Math.max(0, error.resetAt - now);
  return untilReset > policy.maxResetWaitMs ? undefined : untilReset + jitter;
}
