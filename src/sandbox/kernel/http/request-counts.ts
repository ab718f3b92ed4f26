/** A limit of the live platform, for one endpoint and one caller. */
export interface CountedLimit {
  /** Method and path. */
  readonly endpoint: string;
  readonly by: "app" | "user";
  /** Id of the app or person. */
  readonly who: string;
  readonly windowMs: number;
  readonly limit: number;
}

/** A limit, with the highest number of requests that one of its windows within the last hour contains. */
export interface LimitCost extends CountedLimit {
  readonly most: number;
  /** Requests of that window above the live platform's limit. */
  readonly over: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Maximum number of limits that are counted; the oldest is dropped. */
const MAX_LIMITS = 10_000;

interface Counted {
  readonly of: CountedLimit;
  /**
   * Number of requests by minute since the Unix epoch, oldest first. Minutes before the last hour's windows are
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
    this.#counted.set(key, counted);
    const minute = Math.floor(now / MINUTE_MS);
    counted.minutes.set(minute, (counted.minutes.get(minute) ?? 0) + 1);
    for (const [old] of counted.minutes) {
      if ((minute - old) * MINUTE_MS <= of.windowMs + HOUR_MS) break;
      counted.minutes.delete(old);
    }
    const [oldest] = this.#counted.keys();
    if (this.#counted.size > MAX_LIMITS && oldest !== undefined) this.#counted.delete(oldest);
  }

  /** Returns the limits with requests in the last hour, or in their window if that is longer, the fullest first. */
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

/** Returns the highest count of any window within the last hour; for a longer window, the count of the current one. */
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
