/** `setImmediate` as it was at load time: a bot's module may replace the global function, such as by fake timers. */
const later = setImmediate;

/**
 * Delivers results to a handler in the order of their numbers, one in each turn of the event loop. Parallel branches of
 * the handler thus continue in the same order in each run.
 */
export class ResultTurns {
  /**
   * Results that have not been delivered, by number; undefined for a reserved number whose result is not available yet.
   */
  readonly #results = new Map<number, (() => void) | undefined>();
  readonly #onTurn: () => void;
  #last: number;
  #delivered = 0;
  #isDue = false;

  /**
   * @param last Number of the last recorded result.
   * @param onTurn Called in a turn in which no result is left to deliver, after the handler has run as far as it can.
   */
  constructor(last: number, onTurn: () => void) {
    this.#last = last;
    this.#onTurn = onTurn;
  }

  /** Number of results that are still to be delivered. */
  get size(): number {
    return this.#results.size;
  }

  /** Number of the last delivered result. */
  get delivered(): number {
    return this.#delivered;
  }

  /** Reserves the next number, for a result that has just become known. */
  reserve(): number {
    this.#last += 1;
    this.#results.set(this.#last, undefined);
    return this.#last;
  }

  /** Makes the result with this number available. `deliver` is called when its turn has come. */
  give(number: number, deliver: () => void): void {
    this.#results.set(number, deliver);
    this.look();
  }

  /** Schedules the next turn, which delivers a result or calls `onTurn`. */
  look(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    later(() => {
      this.#isDue = false;
      // `setImmediate`: the code that awaited the previous result runs before the next result is delivered
      if (!this.#deliver() && this.#results.size === 0) this.#onTurn();
    });
  }

  #deliver(): boolean {
    const first = Math.min(...this.#results.keys());
    const deliver = this.#results.get(first);
    if (deliver === undefined) return false;
    this.#results.delete(first);
    this.#delivered = Math.max(this.#delivered, first);
    deliver();
    this.look();
    return true;
  }
}
