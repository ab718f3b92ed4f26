import { BUSY, GO, type Permission } from "./permission.ts";

/** Outcome of a request: the target responded (`open`), it failed (`shut`), or nothing was sent (`untried`). */
export type Way = "open" | "shut" | "untried";

export interface CircuitOptions {
  /** Failures in a row that open the circuit. */
  readonly failures: number;
  /** Time that the circuit stays open at first, in milliseconds; doubles each time that its probe fails. */
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Start and end of a request. */
export interface RequestTimes {
  readonly begunAt: number;
  readonly now: number;
}

/**
 * Circuit breaker: stops requests to a target that fails repeatedly, so that they stay unsent instead of ending with an
 * unknown outcome.
 *
 * After a failure, requests go one at a time. After several failures in a row, no request goes for a while; after that,
 * a single request goes as a probe. The first request that gets through closes the circuit. Pure: times come from the
 * caller, in milliseconds by the platform's clock.
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

  /** Whether the circuit is open, so that only a probe may go. */
  get isOpen(): boolean {
    return this.#until !== undefined;
  }

  /** Reason for the open circuit, and the time from which a probe may go; undefined while the circuit is closed. */
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

  /** @param reason Reason of the failure, if `way` is `shut`. */
  ended(way: Way, { begunAt, now }: RequestTimes, reason: string): void {
    this.#underWay -= 1;
    if (way === "untried") return;
    if (way === "open") {
      this.close();
      return;
    }
    this.#inRow += 1;
    // The failed request left before a probe was due. It is no news, so the wait stays unchanged.
    if (this.#until !== undefined && begunAt < this.#until) return;
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

  /** Corrects for a clock that was set back by `by` milliseconds: the remaining wait does not change. */
  setBack(by: number): void {
    if (this.#until !== undefined) this.#until -= by;
  }
}
