import type { AnswerbackError } from "../../errors.ts";
import { PlatformError, ProtocolError, RateLimitError, UnreachableError } from "../errors.ts";

/** How long a stream waits before it connects again; milliseconds. Source: the live service's page on disconnections. */
const NETWORK = { stepMs: 250, maxMs: 16_000 } as const;
const REFUSED = { baseMs: 5_000, maxMs: 320_000 } as const;
const LIMITED = { baseMs: 60_000, maxMs: 960_000 } as const;

/** Waits between connections: at once and then in steps after the network, doubling after refusals. */
export class StreamBackoff {
  #network = 0;
  #refused = 0;
  #limited = 0;

  /** To be called once something has come over a new connection. */
  reset(): void {
    this.#network = 0;
    this.#refused = 0;
    this.#limited = 0;
  }

  /** After a connection that broke, or could not be made: none the first time, then 250 ms more each. */
  afterNetwork(): number {
    const wait = Math.min(NETWORK.maxMs, NETWORK.stepMs * this.#network);
    this.#network += 1;
    return wait;
  }

  /** After an answer that asks to stay away for a while: 5 s, then twice as long each. */
  afterRefusal(): number {
    const wait = Math.min(REFUSED.maxMs, REFUSED.baseMs * 2 ** this.#refused);
    this.#refused += 1;
    return wait;
  }

  /** After what a try to connect ended with; undefined where another try would end the same. */
  afterFailure(error: AnswerbackError, now: number): number | undefined {
    if (error instanceof RateLimitError) return this.#afterLimit(error, now);
    if (error instanceof PlatformError) {
      return error.status >= 500 || error.retryable ? this.afterRefusal() : undefined;
    }
    if (error instanceof UnreachableError) return this.afterNetwork();
    return error instanceof ProtocolError ? this.afterRefusal() : undefined;
  }

  /** By the reset of an exhausted budget or `Retry-After`; else a minute, then twice as long each. */
  #afterLimit({ refusal, resetAt }: RateLimitError, now: number): number {
    const wait = Math.min(LIMITED.maxMs, LIMITED.baseMs * 2 ** this.#limited);
    this.#limited += 1;
    if (refusal.retryAfterMs !== undefined) return refusal.retryAfterMs;
    const exhausted = refusal.limits?.window?.remaining === 0;
    if (exhausted && resetAt !== undefined) return Math.max(0, resetAt - now);
    // Too many connections: the platform may not have noticed yet that the last one broke.
    return refusal.title === "ConnectionException" ? this.afterRefusal() : wait;
  }
}
