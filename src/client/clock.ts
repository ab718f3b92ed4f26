import { setTimeout as delay } from "node:timers/promises";
import { UsageError } from "../errors.ts";
import { headerOf, type AnswerHeaders } from "./http/rate-limits.ts";
import { readHttpDate } from "./http/retry-after.ts";

/**
 * The client's source of time. Retries wait with `sleep`. Signatures and resets of rate limits use `now`, corrected by
 * the `Date` headers of the platform's responses.
 */
export interface ClientClock {
  /** Returns the current time in milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Longest time of a timer of Node, in milliseconds. A longer timer fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Checks a time limit. @throws UsageError if no timer can keep it */
export function checkTimeout(timeoutMs: number): void {
  if (timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS) return;
  throw new UsageError(
    `timeoutMs is ${timeoutMs}; it is a number of milliseconds from 1 to ${MAX_TIMER_MS}`,
  );
}

/** The clock of this machine. */
export const SYSTEM_CLOCK: ClientClock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    const options = signal === undefined ? {} : { signal };
    let leftMs = ms;
    for (; leftMs > MAX_TIMER_MS; leftMs -= MAX_TIMER_MS) {
      await delay(MAX_TIMER_MS, undefined, options);
    }
    await delay(leftMs, undefined, options);
  },
};

/** The platform's time, learnt from the `Date` headers of its responses. */
export interface LearntTime {
  /** Returns milliseconds since 1970, corrected by the last measured difference from the platform's clock. */
  now(): number;
  /**
   * Corrects the clock from a response that has just arrived. An absent or malformed `Date` changes nothing.
   *
   * @param tookMs Milliseconds from the request's start to the response's end.
   */
  learn(headers: AnswerHeaders, tookMs: number): void;
}

/** A `Date` header has a precision of one second. Smaller differences are ignored. */
const PRECISION_MS = 1_000;
/**
 * A difference above this means that a clock was set. A smaller one is drift, which the correction follows in small
 * steps.
 */
const DRIFT_MS = 2_000;

/**
 * A clock of this machine, corrected by the platform's.
 *
 * The `Date` header of a response gives a lower and an upper bound for the difference between the clocks. The
 * correction changes only when it is outside these bounds, so rounding in the header has no effect. A new correction is
 * normally the lower bound: the corrected time is then not ahead of the platform's, and a wait for a reset does not end
 * before the reset.
 */
export class PlatformClock implements LearntTime {
  readonly #machine: () => number;
  readonly #onChange: (aheadMs: number) => void;
  #aheadMs: number;

  /**
   * @param machine Milliseconds since 1970, by this machine's clock.
   * @param aheadMs Known difference at the start, in milliseconds.
   * @param onChange Called after the difference has changed.
   */
  constructor(
    machine: () => number,
    aheadMs = 0,
    onChange: (aheadMs: number) => void = () => undefined,
  ) {
    this.#machine = machine;
    this.#aheadMs = Math.floor(aheadMs);
    this.#onChange = onChange;
  }

  /** Milliseconds that the platform's clock is ahead of this machine's; negative if it is behind. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  now(): number {
    return this.#machine() + this.#aheadMs;
  }

  learn(headers: AnswerHeaders, tookMs: number): void {
    const date = dateOf(headers);
    if (date === undefined) return;
    const arrivedAt = this.#machine();
    // The platform wrote the header at some time between the request and the response.
    const least = date - arrivedAt;
    const most = Math.floor(date + PRECISION_MS - (arrivedAt - tookMs));
    const isWithin = (aheadMs: number): boolean =>
      aheadMs >= least - PRECISION_MS && aheadMs <= most;
    if (isWithin(this.#aheadMs)) return;
    const over = this.#aheadMs - most;
    this.#aheadMs = isWithin(0) ? 0 : over > 0 && over <= DRIFT_MS ? most : least;
    this.#onChange(this.#aheadMs);
  }
}

/**
 * Reads the `Date` header as milliseconds since 1970; undefined when it is absent or malformed. A response from a cache
 * has the date of its creation, and its age in seconds in `Age` (RFC 9111, section 5.1).
 */
export function dateOf(headers: AnswerHeaders): number | undefined {
  const date = readHttpDate(headerOf(headers, "date"));
  const age = headerOf(headers, "age")?.trim() ?? "";
  return date === undefined || !/^\d{1,9}$/.test(age) ? date : date + Number(age) * 1000;
}
