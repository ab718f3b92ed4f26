import type { RateLimit } from "../../../client/client.ts";
import type { SendLimit } from "../effects/effect.ts";
import { BUSY, GO, type Permission } from "./permission.ts";

/** Budget of one platform limit. It decides whether this process may send another request. */
export interface LimitBudget {
  /** Latest report of the platform, to be stored for the next process; undefined if there is nothing to store. */
  readonly reportedLimit: RateLimit | undefined;
  remaining(now: number): Pick<RateLimit, "limit" | "remaining"> | undefined;
  ask(now: number): Permission;
  /** Counts a request. @returns a function to be called instead of {@link ended} if the request was never sent. */
  began(now: number): () => void;
  /**
   * @param response Report on this limit in the HTTP response; `undefined` when there was no response.
   * @param begunAt Time at which the request began.
   */
  ended(response: { readonly rateLimit: RateLimit | undefined } | undefined, begunAt: number): void;
  remember(rateLimit: RateLimit): void;
  setBack(by: number): void;
}

/**
 * Budget that follows the platform's reports. If the responses don't report the limit, it counts requests up to the
 * limit in the table of limits.
 */
export class Budget implements LimitBudget {
  readonly #limit: SendLimit;
  #left: RateLimit | undefined;
  /** `not yet`: no response has come. `it`: a response reported this limit. `nothing`: responses don't report it. */
  #reported: "not yet" | "nothing" | "it" = "not yet";
  #underWay = 0;
  /** Requests allowed in a whole window. */
  #size: number;
  /** Start times of requests, as long as no response reports this limit. */
  #begun: number[] = [];

  constructor(limit: SendLimit) {
    this.#limit = limit;
    this.#size = limit.limit;
  }

  /** Remaining requests reported for a window that is not over; undefined if there is no report. */
  get reportedLimit(): RateLimit | undefined {
    return this.#left;
  }

  /**
   * Returns the remaining requests of the current window, and the size of a whole window; undefined before the first
   * response.
   */
  remaining(now: number): { readonly limit: number; readonly remaining: number } | undefined {
    if (this.#reported === "not yet") return undefined;
    const rateLimit = this.#left;
    if (rateLimit !== undefined && now < endOf(rateLimit)) return rateLimit;
    const { windowMs } = this.#limit;
    const begun = this.#begun.filter((at) => at > now - windowMs && at <= now);
    return { limit: this.#size, remaining: Math.max(0, this.#size - begun.length) };
  }

  /** @param now Milliseconds since the epoch, by the platform's clock. */
  ask(now: number): Permission {
    const { windowMs } = this.#limit;
    const rateLimit = this.#left;
    // A window can't end later than one window length from now. If it seems to, the clock was set back, so the report
    // is dropped.
    if (
      rateLimit !== undefined &&
      (now >= endOf(rateLimit) || endOf(rateLimit) - now > windowMs + SLACK_MS)
    ) {
      this.#left = undefined;
    }
    if (this.#left !== undefined) return this.#askTold(this.#left);
    // The first response reports the limits. Before it, requests go one at a time, because an earlier process may have
    // used up the limit already.
    if (this.#reported === "not yet") return this.#underWay > 0 ? BUSY : GO;
    return this.#reported === "nothing" ? this.#askTable(now) : this.#underFullWindow();
  }

  #askTold(rateLimit: RateLimit): Permission {
    const { remaining, limit } = rateLimit;
    if (remaining <= 0) return waiting(endOf(rateLimit), limit);
    return remaining - this.#underWay > 0 ? GO : BUSY;
  }

  /**
   * Permits as many concurrent requests as a whole window allows, since the reported window is over and the next
   * response will report a new one.
   */
  #underFullWindow(): Permission {
    return this.#underWay < this.#size ? GO : BUSY;
  }

  #askTable(now: number): Permission {
    const { limit, windowMs } = this.#limit;
    this.#begun = this.#begun.filter((at) => at > now - windowMs && at <= now);
    const [oldest] = this.#begun;
    if (oldest === undefined || this.#begun.length < limit) return GO;
    return waiting(oldest + windowMs, limit);
  }

  began(now: number): () => void {
    this.#underWay += 1;
    if (this.#reported !== "it") this.#begun.push(now);
    return () => {
      this.#underWay -= 1;
      const place = this.#begun.lastIndexOf(now);
      if (place >= 0) this.#begun.splice(place, 1);
    };
  }

  /** @param response Report on this limit in the HTTP response; `undefined` when there was no response. */
  ended(response: { readonly rateLimit: RateLimit | undefined } | undefined): void {
    this.#underWay -= 1;
    if (response === undefined) return;
    const { rateLimit } = response;
    if (rateLimit === undefined) {
      if (this.#reported === "not yet") this.#reported = "nothing";
      return;
    }
    this.#reported = "it";
    this.#begun = [];
    this.#size = rateLimit.limit;
    this.#left = lower(this.#left, rateLimit);
  }

  /** Restores a report that an earlier process received. */
  remember(rateLimit: RateLimit): void {
    this.#reported = "it";
    this.#left = rateLimit;
  }

  setBack(by: number): void {
    if (this.#left !== undefined) {
      this.#left = { ...this.#left, resetAt: this.#left.resetAt - by };
    }
    this.#begun = this.#begun.map((at) => at - by);
  }
}

/** Milliseconds by which the reported end of a window may be too late, since it is in whole seconds. */
const SLACK_MS = 5_000;

/** Milliseconds by which this machine's clock may be ahead of the platform's. */
const AHEAD_MS = 1_000;

const endOf = ({ resetAt }: RateLimit): number => resetAt + AHEAD_MS;

function waiting(until: number, limit: number): Permission {
  const reason = `all ${limit} requests of the limit are used`;
  return { kind: "wait", until, reason, isLimit: true };
}

/**
 * Returns the later of two reports, since responses may arrive out of order. If both concern the same window, the later
 * report is the one with fewer remaining requests.
 */
function lower(stored: RateLimit | undefined, report: RateLimit): RateLimit {
  if (stored === undefined || report.resetAt > stored.resetAt) return report;
  if (report.resetAt < stored.resetAt) return stored;
  return report.remaining < stored.remaining ? report : stored;
}
