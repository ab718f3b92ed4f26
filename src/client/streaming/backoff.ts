import type { AnswerbackError } from "../../errors.ts";
import { PlatformError, ProtocolError, RateLimitError, UnreachableError } from "../errors.ts";
import { exhaustedBudgets } from "../http/rate-limits.ts";

/** Waits before a stream reconnects, in milliseconds. Source: the live service's page on disconnections. */
const NETWORK = { stepMs: 250, maxMs: 16_000 } as const;
const REFUSED = { baseMs: 5_000, maxMs: 320_000 } as const;
const LIMITED = { baseMs: 60_000, maxMs: 960_000 } as const;

/**
 * Calculates the waits between connections, in milliseconds: linear after network failures, exponential after refusals.
 */
export class StreamBackoff {
  #network = 0;
  #refused = 0;
  #limited = 0;

  /** Resets the waits. Call it when an item or a heartbeat has come over a new connection. */
  reset(): void {
    this.#network = 0;
    this.#refused = 0;
    this.#limited = 0;
  }

  /** Wait after a broken or failed connection: 0 the first time, then 250 ms more each time, up to 16 s. */
  afterNetwork(): number {
    const wait = Math.min(NETWORK.maxMs, NETWORK.stepMs * this.#network);
    this.#network += 1;
    return wait;
  }

  /** Wait after a refusal that may be temporary: 5 s, doubled each time, up to 320 s. */
  afterRefusal(): number {
    const wait = Math.min(REFUSED.maxMs, REFUSED.baseMs * 2 ** this.#refused);
    this.#refused += 1;
    return wait;
  }

  /** Wait after a failed attempt to connect; undefined if a retry would fail the same way. */
  afterFailure(error: AnswerbackError, now: number): number | undefined {
    if (error instanceof RateLimitError) return this.#afterLimit(error, now);
    if (error instanceof PlatformError) {
      const mayEnd = error.status >= 500 || error.retryable || error.isFromProxy;
      return mayEnd ? this.afterRefusal() : undefined;
    }
    if (error instanceof UnreachableError) return this.afterNetwork();
    return error instanceof ProtocolError ? this.afterRefusal() : undefined;
  }

  /**
   * Wait after a rate limit: by `Retry-After`, or until all exhausted budgets are reset. Otherwise a minute, doubled
   * each time up to 16 minutes.
   */
  #afterLimit({ refusal, resetAt }: RateLimitError, now: number): number {
    const wait = Math.min(LIMITED.maxMs, LIMITED.baseMs * 2 ** this.#limited);
    this.#limited += 1;
    if (refusal.retryAfterMs !== undefined) return refusal.retryAfterMs;
    const exhausted = exhaustedBudgets(refusal.limits);
    if (exhausted.length > 0 && resetAt !== undefined) return Math.max(0, resetAt - now);
    // Too many connections: the platform may not have noticed yet that the previous connection broke.
    return refusal.title === "ConnectionException" ? this.afterRefusal() : wait;
  }
}
