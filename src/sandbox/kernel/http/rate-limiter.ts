import type { SandboxSettings } from "../settings.ts";
import { ApiError } from "./api-error.ts";
import type { Method } from "./method.ts";
import { type LimitCost, RequestCounts, type CountedLimit } from "./request-counts.ts";

/** Request limits of a route: `user` and `app` per 15 minutes, `userDay` and `appDay` per day. */
export interface RouteLimits {
  readonly user?: number;
  readonly app?: number;
  readonly userDay?: number;
  readonly appDay?: number;
}

/** Route with rate limits. */
export interface LimitedRoute {
  readonly method: Method;
  readonly path: string;
  readonly limits: RouteLimits;
}

/** Number of requests that a limit still allows in the current window, and the end of the window. */
export interface RateLeft {
  readonly limit: number;
  readonly remaining: number;
  /** End of the window, as Unix time in seconds. */
  readonly reset: number;
}

/** App and user for which a request is counted. */
export interface CountedCaller {
  readonly app?: string | undefined;
  readonly user?: string | undefined;
}

/** Current window of a rate limit, for one app or user. */
export interface OpenWindow extends CountedLimit {
  readonly used: number;
  /** End of the window, in milliseconds since the Unix epoch. */
  readonly ends: number;
}

/** Settings that apply to rate limits. */
type RequestLimitSettings = Pick<SandboxSettings["limits"], "enabled" | "scale">;

interface RateWindow {
  readonly ends: number;
  limit: number;
  used: number;
  /** Whether the control interface used up this window; its limit then applies even if limits are off. */
  usedUp?: boolean;
}

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const MAX_WINDOWS = 50_000;

/** Counts requests per route, user and app on the sandbox's clock. */
export class RateLimiter {
  readonly #now: () => number;
  readonly #counts = new RequestCounts();
  #windows = new Map<string, RateWindow>();

  constructor(now: () => number) {
    this.#now = now;
  }

  clear(): void {
    this.#windows.clear();
    this.#counts.clear();
  }

  /** Returns the use of each rate limit of the live platform by the last hour's requests, most used first. */
  costs(): readonly LimitCost[] {
    return this.#counts.costs(this.#now());
  }

  /**
   * Counts one request and returns the headers with the remaining budget.
   *
   * @throws {ApiError} 429 with the same headers, when a limit is reached.
   */
  count(
    route: string,
    limits: RouteLimits,
    who: CountedCaller,
    settings: RequestLimitSettings,
  ): Record<string, string> {
    const windows = this.#windowsOf(route, limits, who, settings.scale);
    const isRefused = windows.some(
      ({ window: { used, limit, usedUp } }) =>
        used >= limit && (settings.enabled || usedUp === true),
    );
    const headers: Record<string, string> = {};
    for (const { prefix, window } of windows) {
      // A request that one limit refuses is not counted against the others.
      if (settings.enabled && !isRefused) window.used += 1;
      headers[`${prefix}limit`] = String(window.limit);
      headers[`${prefix}remaining`] = String(Math.max(0, window.limit - window.used));
      headers[`${prefix}reset`] = String(Math.ceil(window.ends / 1000));
    }
    if (isRefused) throw tooManyRequests(headers);
    return headers;
  }

  /** Returns the windows of the limits that apply to a caller, each with the prefix of its headers. */
  #windowsOf(
    route: string,
    limits: RouteLimits,
    { app, user }: CountedCaller,
    scale: number,
  ): { readonly prefix: string; readonly window: RateWindow }[] {
    const windowOf = (
      kind: keyof RouteLimits,
      id: string | undefined,
      prefix: string,
      ms: number,
    ) => {
      const limit = limits[kind];
      if (limit === undefined || id === undefined) return [];
      const by = kind === "app" || kind === "appDay" ? "app" : "user";
      this.#counts.add({ endpoint: route, by, who: id, windowMs: ms, limit }, this.#now());
      const window = this.#window(`${route} ${kind} ${id}`, ms);
      window.limit = Math.max(1, Math.floor(limit * scale));
      return [{ prefix, window }];
    };
    const quarterApp = user === undefined || limits.user === undefined ? app : undefined;
    return [
      ...windowOf("app", quarterApp, HEADER_PREFIX, QUARTER_MS),
      ...windowOf("user", user, HEADER_PREFIX, QUARTER_MS),
      ...windowOf("appDay", app, "x-app-limit-24hour-", DAY_MS),
      ...windowOf("userDay", user, "x-user-limit-24hour-", DAY_MS),
    ];
  }

  /**
   * Returns a caller's budget in the 15-minute window without counting; undefined for routes with daily limits only.
   */
  left(
    { method, path, limits }: LimitedRoute,
    { app, user }: CountedCaller,
    { scale }: RequestLimitSettings,
  ): RateLeft | undefined {
    const kind = user !== undefined && limits.user !== undefined ? "user" : "app";
    const [limit, id] = [limits[kind], kind === "user" ? user : app];
    if (limit === undefined || id === undefined) return undefined;
    const max = Math.max(1, Math.floor(limit * scale));
    const now = this.#now();
    const window = this.#windows.get(`${routeKey({ method, path })} ${kind} ${id}`);
    const open = window !== undefined && now < window.ends ? window : undefined;
    return {
      limit: max,
      remaining: Math.max(0, max - (open?.used ?? 0)),
      reset: Math.ceil((open?.ends ?? now + QUARTER_MS) / 1000),
    };
  }

  /** Returns all open windows with requests, in the order in which they end. */
  open(): readonly OpenWindow[] {
    const now = this.#now();
    return [...this.#windows]
      .filter(([, { ends, used }]) => ends > now && used > 0)
      .map(([key, { ends, limit, used }]): OpenWindow => {
        const [method, path, kind = "", who = ""] = key.split(" ");
        return {
          endpoint: `${method} ${path}`,
          by: kind.startsWith("app") ? "app" : "user",
          who,
          windowMs: kind.endsWith("Day") ? DAY_MS : QUARTER_MS,
          limit,
          used,
          ends,
        };
      })
      .toSorted((a, b) => a.ends - b.ends);
  }

  /** Uses up a route's daily limit for an app or user for the next `ms`, even if rate limits are turned off. */
  useUpDay(route: LimitedRoute, who: CountedCaller, scale: number, ms: number): void {
    for (const [key, limit] of daysOf(route, who)) {
      const max = Math.max(1, Math.floor(limit * scale));
      this.#windows.set(key, { ends: this.#now() + ms, limit: max, used: max, usedUp: true });
    }
  }

  /** Resets the daily windows of a route. */
  giveDayBack(route: LimitedRoute, who: CountedCaller): void {
    for (const [key] of daysOf(route, who)) this.#windows.delete(key);
  }

  /** Returns the rate-limit headers of a caller that has sent no requests yet; nothing is counted. */
  fullHeaders(limits: RouteLimits, { scale }: RequestLimitSettings): Record<string, string> {
    const limit = limits.app ?? limits.user;
    if (limit === undefined) return {};
    const max = String(Math.max(1, Math.floor(limit * scale)));
    return {
      [`${HEADER_PREFIX}limit`]: max,
      [`${HEADER_PREFIX}remaining`]: max,
      [`${HEADER_PREFIX}reset`]: String(Math.ceil((this.#now() + QUARTER_MS) / 1000)),
    };
  }

  #window(key: string, ms: number): RateWindow {
    const now = this.#now();
    const currentWindow = this.#windows.get(key);
    if (currentWindow !== undefined && now < currentWindow.ends && currentWindow.ends - now <= ms)
      return currentWindow;
    if (this.#windows.size > MAX_WINDOWS) this.#dropEnded(now);
    const fresh = { ends: now + ms, limit: 0, used: 0 };
    this.#windows.set(key, fresh);
    return fresh;
  }

  #dropEnded(now: number): void {
    for (const [key, window] of this.#windows) if (window.ends <= now) this.#windows.delete(key);
  }
}

/** Returns the window keys of a route's daily limits, each with its limit. */
function daysOf(route: LimitedRoute, { app, user }: CountedCaller): readonly [string, number][] {
  const { appDay, userDay } = route.limits;
  const days: [string, number][] = [];
  const add = (kind: keyof RouteLimits, id: string | undefined, limit: number | undefined) => {
    if (id !== undefined && limit !== undefined)
      days.push([`${routeKey(route)} ${kind} ${id}`, limit]);
  };
  add("appDay", app, appDay);
  add("userDay", user, userDay);
  return days;
}

/** Returns the key under which requests to a route are counted: method and path. */
export function routeKey({ method, path }: Pick<LimitedRoute, "method" | "path">): string {
  return `${method} ${path}`;
}

const HEADER_PREFIX = "x-rate-limit-";

/** Creates the 429 error, with its code in every error style. */
export function tooManyRequests(headers: Record<string, string> = {}): ApiError {
  return new ApiError({
    status: 429,
    code: "too_many_requests",
    message: "Too Many Requests",
    title: "Too Many Requests",
    v1: 88,
    ads: "TOO_MANY_REQUESTS",
    headers,
  });
}
