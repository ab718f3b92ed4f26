import { type AnswerHeaders, headerOf, MAX_WAIT_MS } from "./rate-limits.ts";

/** Wait requested by a response. */
export interface RetryAfter {
  /** Requested wait in milliseconds, counted from the arrival of the response; 0 or more. */
  readonly ms: number;
  /** End of the wait in milliseconds since 1970 by the platform's clock; undefined for a response without `Date`. */
  readonly at: number | undefined;
}

/**
 * Reads the header `Retry-After`, which has seconds or an HTTP date; undefined if its value is
 * invalid, or longer than {@link MAX_WAIT_MS}. A date is compared with the response's own `Date`, so that clock differences do not matter.
 *
 * @see RFC 9110, section 10.2.3
 */
export function readRetryAfter(headers: AnswerHeaders): RetryAfter | undefined {
  const value = headerOf(headers, "retry-after")?.trim() ?? "";
  const answered = readHttpDate(headerOf(headers, "date"));
  if (/^\d{1,9}$/.test(value)) {
    const ms = Number(value) * 1000;
    if (ms > MAX_WAIT_MS) return undefined;
    return { ms, at: answered === undefined ? undefined : answered + ms };
  }
  const at = readHttpDate(value);
  if (at === undefined || answered === undefined || at - answered > MAX_WAIT_MS) return undefined;
  return { ms: Math.max(0, at - answered), at };
}

/** Reads an HTTP date as milliseconds since 1970; undefined when it is absent or malformed. */
export function readHttpDate(date: string | undefined): number | undefined {
  // Date.parse accepts far more than an HTTP date, such as "-5" and "0.5".
  const at = date?.endsWith(" GMT") === true ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
