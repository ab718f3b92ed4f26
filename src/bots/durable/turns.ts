/** Captured at load time, because modules (tests with fake timers) may replace the global. */
const later = setImmediate;

/**
 * Delivers results to a handler in the order of their numbers, one in each turn of the event loop. Concurrent branches
 * of the handler then continue in the same order in each run.
 */
export class ResultTurns {
  /** Pending results by number; undefined if the number is reserved and the result is not available yet. */
  readonly #results = new Map<number, (() => void) | undefined>();
  readonly #onTurn: () => void;
  #last: number;
  #delivered = 0;
  #isDue = false;

  /**
   * @param last Last recorded number.
   * @param onTurn Called in a turn without a result to deliver, after the handler has run as far as it can.
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

  /** Reserves the number of a result that has just become known. */
  reserve(): number {
    this.#last += 1;
    this.#results.set(this.#last, undefined);
    return this.#last;
  }

  /** Makes a result available for delivery. */
  give(number: number, deliver: () => void): void {
    this.#results.set(number, deliver);
    this.look();
  }

  /** Schedules a delivery, or `onTurn`, in the next turn. */
  look(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    later(() => {
      this.#isDue = false;
      // code that a result resumed has run by the next turn
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
