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

/** What nobody asked for since is looked at no more, in milliseconds. */
const ACTIVE_MS = 60_000;
/** What was asked for, and nobody waits for, is looked at so often, in milliseconds: people see what is left of it. */
const SHOWN_EVERY_MS = 10_000;

/** What one limit of the platform leaves to this worker: the slice that it was given of what all share. */
export class SharedBudget implements LimitBudget {
  readonly place: string;
  readonly limit: SendLimit;
  /** Whether a slice of this worker is in the store. */
  hasSlice = false;
  /** What the platform said last, and the store does not know yet. */
  answer: Omit<ToldOfLimit, "unused"> | undefined;
  /** Requests under way. */
  underWay = 0;
  /** By the platform's clock: when it was asked for last. */
  #askedAt = -Infinity;
  #seen: SharedWindow;
  #seenAt = -Infinity;
  #read: { readonly text: string | undefined; readonly window: SharedWindow } | undefined;
  #left = 0;
  #until = 0;
  #size = 0;
  /** Requests that were kept back since the last slice. */
  #keptBack = 0;
  #isUsedUp = false;
  #hasUnanswered = false;
  readonly #onUrgent: () => void;

  /** @param onUrgent Called when others wait for what an answer has said. */
  constructor(place: string, limit: SendLimit, onUrgent: () => void) {
    this.place = place;
    this.limit = limit;
    this.#seen = unknownWindow(limit);
    this.#onUrgent = onUrgent;
  }

  /** The store has it, for the next process, too. */
  get left(): undefined {
    return undefined;
  }

  remaining(now: number): { readonly limit: number; readonly remaining: number } | undefined {
    if (!this.seen.isKnown) return undefined;
    const seen = windowAt(this.seen, this.limit, now);
    return { limit: seen.size, remaining: availableIn(seen, now) + this.leftAt(now) };
  }

  remember(): void {}

  setBack(): void {}

  /** What is left of the slice. */
  leftAt(now: number): number {
    // where the clock was set back it is over: nobody knows when it was given
    return now < this.#until && this.#until - now <= SLICE_MS ? this.#left : 0;
  }

  /** Whether its slice is over: it is used up, or its time is, or the platform takes no more. */
  isOver(now: number): boolean {
    return this.leftAt(now) === 0 || this.seen.told?.isShut === true;
  }

  /** Whether the slice may be ended: as long as nothing is known of the limit, others wait for the request under way. */
  mayEnd(): boolean {
    return this.seen.isKnown || this.underWay === 0 || this.answer !== undefined;
  }

  /** Ends the slice: what of it goes back, and whether all of the rest was answered. */
  takeLeft(): { readonly unused: number; readonly isCounted: boolean } {
    const unused = this.#left;
    const isCounted = this.underWay === 0 && !this.#hasUnanswered;
    this.#left = 0;
    this.#hasUnanswered = false;
    return { unused, isCounted };
  }

  /** How many it could use: those that were kept back, or twice the slice that did not last. */
  get wanted(): number {
    return Math.max(this.#keptBack, this.#isUsedUp ? 2 * this.#size : 1);
  }

  receive(count: number, until: number): void {
    this.#left = count;
    this.#until = until;
    this.#size = count;
    this.#isUsedUp = false;
    this.#keptBack = 0;
  }

  /** As it was in the store when it was looked at last. */
  get seen(): SharedWindow {
    return this.#seen;
  }

  /** What the store has of it at a time by the platform's clock. */
  see(window: SharedWindow, now: number): void {
    this.#seen = window;
    this.#seenAt = now;
  }

  /** Whether somebody goes by it or waits for it, or sees it: what others did of it is to be looked at. */
  isDue(now: number): boolean {
    if (this.hasSlice || this.answer !== undefined) return true;
    if (Math.abs(now - this.#askedAt) >= ACTIVE_MS) return false;
    return this.#keptBack > 0 || Math.abs(now - this.#seenAt) >= SHOWN_EVERY_MS;
  }

  /** What the store has of it; the same text is read once. */
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

  began(): void {
    this.#left = Math.max(0, this.#left - 1);
    this.#isUsedUp = this.#left === 0;
    this.underWay += 1;
  }

  ended(told: { readonly left: RateLimit | undefined } | undefined, begunAt: number): void {
    this.underWay -= 1;
    if (told === undefined) {
      this.#hasUnanswered = true;
      return;
    }
    const { left } = told;
    const known = this.answer?.left;
    const isOlder =
      known !== undefined &&
      (left === undefined ||
        left.resetAt < known.resetAt ||
        (left.resetAt === known.resetAt && left.remaining > known.remaining));
    if (!isOlder) this.answer = { left, begunAt };
    if (!this.seen.isKnown || left?.remaining === 0) this.#onUrgent();
  }
}
