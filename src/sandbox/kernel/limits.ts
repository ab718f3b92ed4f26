import { Refusal } from "./refusal.ts";
import type { Settings } from "./settings.ts";

/** How often a route may be called; windows of 15 minutes, or of a day. */
export interface RouteLimits {
  readonly user?: number;
  readonly app?: number;
  readonly userDay?: number;
  readonly appDay?: number;
}

interface Window {
  readonly ends: number;
  used: number;
}

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const KEPT_WINDOWS = 50_000;

/** Counts requests per route, user and app on the sandbox's clock. */
export class RateLimits {
  readonly #now: () => number;
  #windows = new Map<string, Window>();

  constructor(now: () => number) {
    this.#now = now;
  }

  clear(): void {
    this.#windows.clear();
  }

  /**
   * Counts one request and gives the headers that tell the caller where it stands.
   *
   * @throws {Refusal} 429 with the same headers, when a budget is used up.
   */
  take(
    route: string,
    limits: RouteLimits,
    who: { app?: string | undefined; user?: string | undefined },
    settings: Settings["limits"],
  ): Record<string, string> {
    const headers: Record<string, string> = {};
    const over: boolean[] = [];
    const count = (kind: keyof RouteLimits, id: string | undefined, name: string, ms: number) => {
      const limit = limits[kind];
      if (limit === undefined || id === undefined) return;
      const most = Math.max(1, Math.floor(limit * settings.scale));
      const window = this.#window(`${route} ${kind} ${id}`, ms);
      if (settings.enabled) {
        if (window.used >= most) over.push(true);
        else window.used += 1;
      }
      headers[`${name}limit`] = String(most);
      headers[`${name}remaining`] = String(Math.max(0, most - window.used));
      headers[`${name}reset`] = String(Math.ceil(window.ends / 1000));
    };
    count(
      "app",
      who.user === undefined || limits.user === undefined ? who.app : undefined,
      SHORT,
      QUARTER_MS,
    );
    count("user", who.user, SHORT, QUARTER_MS);
    count("appDay", who.app, "x-app-limit-24hour-", DAY_MS);
    count("userDay", who.user, "x-user-limit-24hour-", DAY_MS);
    if (over.length > 0) throw tooMany(headers);
    return headers;
  }

  /** The headers of a caller who has not called yet; nothing is counted. */
  whole(limits: RouteLimits, { scale }: Settings["limits"]): Record<string, string> {
    const limit = limits.app ?? limits.user;
    if (limit === undefined) return {};
    const most = String(Math.max(1, Math.floor(limit * scale)));
    return {
      [`${SHORT}limit`]: most,
      [`${SHORT}remaining`]: most,
      [`${SHORT}reset`]: String(Math.ceil((this.#now() + QUARTER_MS) / 1000)),
    };
  }

  #window(key: string, ms: number): Window {
    const now = this.#now();
    const found = this.#windows.get(key);
    if (found !== undefined && now < found.ends && found.ends - now <= ms) return found;
    if (this.#windows.size > KEPT_WINDOWS) this.#forgetEnded(now);
    const fresh = { ends: now + ms, used: 0 };
    this.#windows.set(key, fresh);
    return fresh;
  }

  #forgetEnded(now: number): void {
    for (const [key, window] of this.#windows) if (window.ends <= now) this.#windows.delete(key);
  }
}

const SHORT = "x-rate-limit-";

/** 429 of every style. */
export function tooMany(headers: Record<string, string> = {}): Refusal {
  return new Refusal({
    status: 429,
    code: "too_many_requests",
    message: "Too Many Requests",
    title: "Too Many Requests",
    v1: 88,
    ads: "TOO_MANY_REQUESTS",
    headers,
  });
}
