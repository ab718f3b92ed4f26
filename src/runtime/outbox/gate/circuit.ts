import { BUSY, GO, type Permission } from "./permission.ts";

/** How a request ended, as far as it tells of the way that it went. */
export type Way = "open" | "shut" | "untried";

export interface CircuitOptions {
  /** So many failures in a row open it. */
  readonly failures: number;
  /** How long it stays open the first time, in milliseconds; doubles each time that its probe fails. */
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Keeps requests back from what fails again and again, so that they stay unsent rather than unknown.
 *
 * After a failure requests go one at a time; after several in a row none goes for a while, and then a
 * single one as a probe. The first that gets through closes it. Pure: times come from the caller, in
 * milliseconds by the platform's clock.
 */
export class Circuit {
  readonly #options: CircuitOptions;
  #inRow = 0;
  #openings = 0;
  #underWay = 0;
  #until: number | undefined;
  #reason = "";

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  /** Whether nothing but a probe goes. */
  get isOpen(): boolean {
    return this.#until !== undefined;
  }

  /** Why the last request failed, and when the next one may go; undefined while it is closed. */
  get opened(): { readonly until: number; readonly reason: string } | undefined {
    return this.#until === undefined ? undefined : { until: this.#until, reason: this.#reason };
  }

  ask(now: number): Permission {
    if (this.#until !== undefined && now < this.#until) {
      return { kind: "wait", until: this.#until, reason: this.#reason };
    }
    const alone = this.isOpen || this.#inRow > 0;
    return alone && this.#underWay > 0 ? BUSY : GO;
  }

  began(): void {
    this.#underWay += 1;
  }

  /** @param reason Why the way was shut. */
  ended(way: Way, now: number, reason: string): void {
    this.#underWay -= 1;
    if (way === "untried") return;
    if (way === "open") {
      this.close();
      return;
    }
    this.#inRow += 1;
    // Those that left before it opened say nothing new.
    if (this.#until !== undefined && now < this.#until) return;
    if (this.#until === undefined && this.#inRow < this.#options.failures) return;
    const { firstMs, longestMs } = this.#options;
    this.#until = now + Math.min(longestMs, firstMs * 2 ** this.#openings);
    this.#openings += 1;
    this.#reason = reason;
  }

  close(): void {
    this.#inRow = 0;
    this.#openings = 0;
    this.#until = undefined;
    this.#reason = "";
  }

  /** The clock was set back by so many milliseconds: what was to be waited stays as long as it was. */
  setBack(by: number): void {
    if (this.#until !== undefined) this.#until -= by;
  }
}
