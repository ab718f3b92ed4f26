/** A rate limit of the live platform, for one endpoint and one app or user. */
export interface CountedLimit {
  /** Endpoint as method and path, such as `POST /2/tweets`. */
  readonly endpoint: string;
  readonly by: "app" | "user";
  /** Id of the app or user whose requests are counted. */
  readonly who: string;
  readonly windowMs: number;
  readonly limit: number;
}

/** A rate limit, with the highest number of requests (`most`) in any of its windows within the last hour. */
export interface LimitCost extends CountedLimit {
  readonly most: number;
  /** Number of requests by which `most` exceeds `limit`. */
  readonly over: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Maximum number of limits that are counted; beyond it, the limit that was not used for longest is dropped. */
const MAX_LIMITS = 10_000;

interface Counted {
  readonly of: CountedLimit;
  /**
   * Number of requests by minute since the Unix epoch, oldest first. Minutes older than the window plus one hour are
   * dropped.
   */
  readonly minutes: Map<number, number>;
}

/** Counts requests against the limits of the live platform, even if the sandbox does not enforce limits. */
export class RequestCounts {
  readonly #counted = new Map<string, Counted>();

  /** Counts one request. @param now Milliseconds since the Unix epoch, by the sandbox's clock. */
  add(of: CountedLimit, now: number): void {
    const key = [of.endpoint, of.by, of.who, of.windowMs].join(" ");
    const counted = this.#counted.get(key) ?? { of, minutes: new Map<number, number>() };
    // moves the limit to the end, so that the first one is the one that was not used for longest
    this.#counted.delete(key);
    this.#counted.set(key, counted);
    const minute = Math.floor(now / MINUTE_MS);
    counted.minutes.set(minute, (counted.minutes.get(minute) ?? 0) + 1);
    for (const [old] of counted.minutes) {
      if ((minute - old) * MINUTE_MS <= of.windowMs + HOUR_MS) break;
      counted.minutes.delete(old);
    }
    const [idle] = this.#counted.keys();
    if (this.#counted.size > MAX_LIMITS && idle !== undefined) this.#counted.delete(idle);
  }

  /** Returns limits with requests in the last hour (or in a longer window), by falling share of the limit used. */
  costs(now: number): readonly LimitCost[] {
    return [...this.#counted.values()]
      .map(({ of, minutes }) => {
        const most = mostInWindow(minutes, of.windowMs, Math.floor(now / MINUTE_MS));
        return { ...of, most, over: Math.max(0, most - of.limit) };
      })
      .filter(({ most }) => most > 0)
      .toSorted((one, other) => other.most / other.limit - one.most / one.limit);
  }

  clear(): void {
    this.#counted.clear();
  }
}

/** Returns the highest count of a window of the last hour; for windows of over an hour, the current one's count. */
function mostInWindow(minutes: ReadonlyMap<number, number>, windowMs: number, now: number): number {
  const width = windowMs / MINUTE_MS;
  const oldest = now - Math.max(width, HOUR_MS / MINUTE_MS);
  const recent = [...minutes].filter(([minute]) => minute > oldest && minute <= now);
  const sums = recent.map(([begin]) =>
    recent.reduce(
      (sum, [minute, count]) => sum + (minute >= begin && minute < begin + width ? count : 0),
      0,
    ),
  );
  return Math.max(0, ...sums);
}
