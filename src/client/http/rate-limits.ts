/** Rate limit budget (limit, remaining requests, reset) from the headers of a response. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** Time of the next reset in milliseconds since 1970, by the platform's clock. */
  readonly resetAt: number;
}

/** The budgets in the headers of one endpoint's last response. */
export interface RateLimits {
  /** Endpoint template, such as `POST /2/posts`. */
  readonly endpoint: string;
  /** Budget of the endpoint's own window, which is 15 minutes for most endpoints. */
  readonly window: RateLimit | undefined;
  /** The app's budget of requests in 24 hours. */
  readonly appDay: RateLimit | undefined;
  /** The user's budget of requests in 24 hours. */
  readonly userDay: RateLimit | undefined;
  /** The advertising account's budget of requests. */
  readonly account: RateLimit | undefined;
}

/** Headers of a response, names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the value of a header; the first value if the header came more than once. */
export function headerOf(headers: AnswerHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * Longest wait, in milliseconds, that a response can request. The platform's longest limits last 24 hours. A longer wait
 * is an error of the platform or of a proxy, such as a time in milliseconds in place of seconds, and is ignored.
 */
export const MAX_WAIT_MS = 25 * 60 * 60_000;

function readLimit(
  headers: AnswerHeaders,
  prefix: string,
  now: number | undefined,
): RateLimit | undefined {
  const limit = numberIn(headers, `${prefix}-limit`);
  if (limit === undefined || limit <= 0) return undefined;
  const remaining = numberIn(headers, `${prefix}-remaining`);
  const reset = numberIn(headers, `${prefix}-reset`);
  if (remaining === undefined || reset === undefined) return undefined;
  const resetAt = reset * 1000;
  if (now !== undefined && resetAt - now > MAX_WAIT_MS) return undefined;
  return { limit, remaining, resetAt };
}

function numberIn(headers: AnswerHeaders, name: string): number | undefined {
  const text = headerOf(headers, name);
  const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/**
 * Reads every budget in a response's headers; undefined when there are none.
 *
 * @param now Time of the response in milliseconds since 1970, by the platform's clock. If it is known, a budget whose
 *   reset is more than {@link MAX_WAIT_MS} later is ignored.
 */
export function readRateLimits(
  endpoint: string,
  headers: AnswerHeaders,
  now: number | undefined,
): RateLimits | undefined {
  const limits: RateLimits = {
    endpoint,
    window: readLimit(headers, "x-rate-limit", now),
    appDay: readLimit(headers, "x-app-limit-24hour", now),
    userDay: readLimit(headers, "x-user-limit-24hour", now),
    account: readLimit(headers, "x-account-rate-limit", now),
  };
  return budgetsIn(limits).length === 0 ? undefined : limits;
}

/** Returns the budgets of a response that have no remaining requests. */
export function exhaustedBudgets(limits: RateLimits | undefined): readonly RateLimit[] {
  return budgetsIn(limits).filter(({ remaining }) => remaining <= 0);
}

function budgetsIn(limits: RateLimits | undefined): readonly RateLimit[] {
  const { window, appDay, userDay, account } = limits ?? {};
  return [window, appDay, userDay, account].filter((budget) => budget !== undefined);
}

/**
 * Time at which all exhausted budgets are reset; if no budget is exhausted, the reset of the first known one. Undefined
 * if no budget is known.
 */
export function resetTime(limits: RateLimits | undefined): number | undefined {
  const exhausted = exhaustedBudgets(limits);
  const decisive = exhausted.length > 0 ? exhausted : budgetsIn(limits).slice(0, 1);
  return decisive.length === 0 ? undefined : Math.max(...decisive.map((limit) => limit.resetAt));
}

/** The last known budgets of each endpoint, for one set of credentials. */
export interface RateLimitView<Name extends string = string> {
  /** Budgets of an endpoint template such as `POST /2/posts`; undefined before its first response. */
  get(endpoint: Name): RateLimits | undefined;
  /**
   * Budgets of every endpoint that has sent budgets, in the order of their first response. Budgets of advertising
   * requests with the total count have the `endpoint` followed by `with_total_count`.
   */
  all(): readonly RateLimits[];
}

/** Rate limit view that the client updates with the budgets of each response. */
export class RateLimitTracker implements RateLimitView {
  readonly #byEndpoint = new Map<string, RateLimits>();

  get(endpoint: string): RateLimits | undefined {
    return this.#byEndpoint.get(endpoint);
  }

  all(): readonly RateLimits[] {
    return [...this.#byEndpoint.values()];
  }

  /** Stores the budgets of a response; a response without budgets changes nothing. */
  record(limits: RateLimits | undefined): void {
    if (limits !== undefined) this.#byEndpoint.set(limits.endpoint, limits);
  }
}
