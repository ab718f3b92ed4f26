import type { RateLimit } from "../../../client/client.ts";
import type { SendLimit } from "../effects/effect.ts";
import type { LimitBudget } from "./budget.ts";
import { BUSY, GO, type Permission } from "./permission.ts";
import {
  availableIn,
  mayComeBack,
  nextAt,
  sharedWindow,
  SLICE_MS,
  type SharedWindow,
  type ToldOfLimit,
  unknownWindow,
  windowAt,
} from "./shared-window.ts";

/** Milliseconds after the last request for a budget during which the budget is still read from the store. */
const ACTIVE_MS = 60_000;
/**
 * Milliseconds between two reads of a budget that no request waits for. These reads keep the displayed number of
 * remaining requests current.
 */
const SHOWN_EVERY_MS = 10_000;

/** Part of a budget that a change takes out of it, to store it. */
export interface TakenShare {
  readonly answer: SharedBudget["answer"];
  /** Whether the slice ends. */
  readonly ends: boolean;
  /** Requests of the slice that were not sent. */
  readonly unused: number;
  /** Whether all used requests of the slice were answered. */
  readonly isCounted: boolean;
}

/**
 * This worker's share of one platform limit: the slice of the limit's shared window that the store has granted to the
 * worker.
 */
export class SharedBudget implements LimitBudget {
  readonly place: string;
  readonly limit: SendLimit;
  /** Whether the store records a slice for this worker that this worker has not returned yet. */
  hasSlice = false;
  /** Latest report of the platform that is not in the store yet. */
  answer: Omit<ToldOfLimit, "unused"> | undefined;
  /** Requests under way. */
  underWay = 0;
  /** Platform time at which a request last asked for this budget. */
  #askedAt = -Infinity;
  #seen: SharedWindow;
  #seenAt = -Infinity;
  #read: { readonly text: string | undefined; readonly window: SharedWindow } | undefined;
  #left = 0;
  #until = 0;
  #size = 0;
  /** Number of requests that asked for quota in vain since the last slice was granted. */
  #keptBack = 0;
  #isUsedUp = false;
  /** Number of the current slice: rises with each slice that begins or ends. */
  #slice = 0;
  #hasUnanswered = false;
  readonly #onUrgent: () => void;

  /** @param onUrgent Called when other workers wait for what a response reported, so that it is stored at once. */
  constructor(place: string, limit: SendLimit, onUrgent: () => void) {
    this.place = place;
    this.limit = limit;
    this.#seen = unknownWindow(limit);
    this.#onUrgent = onUrgent;
  }

  /** Always undefined: the store, not this object, keeps the remaining requests for the next process. */
  get reportedLimit(): undefined {
    return undefined;
  }

  remaining(now: number): { readonly limit: number; readonly remaining: number } | undefined {
    if (!this.seen.isKnown) return undefined;
    const seen = windowAt(this.seen, this.limit, now);
    return { limit: seen.size, remaining: availableIn(seen, now) + this.leftAt(now) };
  }

  remember(): void {}

  setBack(): void {}

  /** Returns how many requests this worker may still send from its slice. */
  leftAt(now: number): number {
    // After the clock was set back the slice counts as over, since the time of its grant is unknown.
    return now < this.#until && this.#until - now <= SLICE_MS ? this.#left : 0;
  }

  /** Whether the slice is over: it is used up or expired, or the platform has reported that no request remains. */
  isOver(now: number): boolean {
    return this.leftAt(now) === 0 || this.seen.told?.isShut === true;
  }

  /**
   * Whether the slice may be ended. While the limit is unknown, other workers wait for the response to the request
   * under way, so the slice has to last until that response.
   */
  mayEnd(): boolean {
    return this.seen.isKnown || this.underWay === 0 || this.answer !== undefined;
  }

  /** Ends the slice. Returns the number of its unused requests, and whether all of its used requests were answered. */
  takeLeft(): { readonly unused: number; readonly isCounted: boolean } {
    const unused = this.#left;
    const isCounted = this.underWay === 0 && !this.#hasUnanswered;
    this.#left = 0;
    this.#slice += 1;
    this.#hasUnanswered = false;
    return { unused, isCounted };
  }

  /** Undoes the start of a change that the store did not make. A later report of the platform wins. */
  putBack({ answer, ends, unused, isCounted }: TakenShare): void {
    this.answer ??= answer;
    if (!ends) return;
    this.#left = unused;
    if (!isCounted) this.#hasUnanswered = true;
  }

  /**
   * Number of requests that this worker could use: the requests that asked in vain, or after a used-up slice at least
   * twice that slice's size.
   */
  get wanted(): number {
    return Math.max(this.#keptBack, this.#isUsedUp ? 2 * this.#size : 1);
  }

  receive(count: number, until: number): void {
    this.#left = count;
    this.#slice += 1;
    this.#until = until;
    this.#size = count;
    this.#isUsedUp = false;
    this.#keptBack = 0;
  }

  /** Shared window as last read from the store. */
  get seen(): SharedWindow {
    return this.#seen;
  }

  /** Sets the shared window as read from the store at a platform time. */
  see(window: SharedWindow, now: number): void {
    this.#seen = window;
    this.#seenAt = now;
  }

  /**
   * Whether this budget is to be read from the store: requests use it or wait for it, or its displayed number is old.
   */
  isDue(now: number): boolean {
    if (this.hasSlice || this.answer !== undefined) return true;
    if (Math.abs(now - this.#askedAt) >= ACTIVE_MS) return false;
    return this.#keptBack > 0 || Math.abs(now - this.#seenAt) >= SHOWN_EVERY_MS;
  }

  /** Parses the stored window; an unchanged text is parsed only once. */
  read(text: string | undefined): SharedWindow {
    if (this.#read === undefined || this.#read.text !== text) {
      const window =
        text === undefined ? unknownWindow(this.limit) : sharedWindow.parse(JSON.parse(text));
      this.#read = { text, window };
    }
    return this.#read.window;
  }

  ask(now: number): Permission {
    this.#askedAt = now;
    if (!this.isOver(now)) return GO;
    this.#keptBack += 1;
    const { limit } = this;
    const seen = windowAt(this.seen, limit, now);
    const isWaitedFor = !seen.isKnown || availableIn(seen, now) > 0 || mayComeBack(seen, now);
    const until = nextAt(seen, limit, now);
    if (isWaitedFor || until <= now) return BUSY;
    return {
      kind: "wait",
      until,
      reason: `all ${seen.size} requests of the limit are used`,
      isLimit: true,
    };
  }

  began(): () => void {
    const slice = this.#left > 0 ? this.#slice : undefined;
    this.#left = Math.max(0, this.#left - 1);
    this.#isUsedUp = this.#left === 0;
    this.underWay += 1;
    return () => {
      this.underWay -= 1;
      if (slice !== this.#slice) {
        // The slice has ended, and the request was reported as used.
        this.#hasUnanswered = true;
        return;
      }
      this.#left += 1;
      this.#isUsedUp = false;
    };
  }

  ended(
    response: { readonly rateLimit: RateLimit | undefined } | undefined,
    begunAt: number,
  ): void {
    this.underWay -= 1;
    if (response === undefined) {
      this.#hasUnanswered = true;
      return;
    }
    const { rateLimit } = response;
    const latest = this.answer?.rateLimit;
    const isOlder =
      latest !== undefined &&
      (rateLimit === undefined ||
        rateLimit.resetAt < latest.resetAt ||
        (rateLimit.resetAt === latest.resetAt && rateLimit.remaining > latest.remaining));
    if (!isOlder) this.answer = { rateLimit, begunAt };
    if (!this.seen.isKnown || rateLimit?.remaining === 0) this.#onUrgent();
  }
}
