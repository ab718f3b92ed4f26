/** Found now: a module that puts its own function in its place later, as tests do, stops nothing here. */
const later = setImmediate;

/**
 * Gives a handler its results in the order of their numbers, one in each turn of the event loop, so that
 * what goes on side by side in it goes on in the same order each time it is run.
 */
export class ResultTurns {
  /** By number; undefined: it has its place, and is not to be had yet. */
  readonly #results = new Map<number, (() => void) | undefined>();
  readonly #onTurn: () => void;
  #last: number;
  #delivered = 0;
  #isDue = false;

  /**
   * @param last The last number that was given before.
   * @param onTurn Called in each turn once the handler has gone on as far as it can by itself.
   */
  constructor(last: number, onTurn: () => void) {
    this.#last = last;
    this.#onTurn = onTurn;
  }

  /** Results that the handler still has to get. */
  get size(): number {
    return this.#results.size;
  }

  /** The number of the last result that the handler has got. */
  get delivered(): number {
    return this.#delivered;
  }

  /** The number of what has ended just now. */
  reserve(): number {
    this.#last += 1;
    this.#results.set(this.#last, undefined);
    return this.#last;
  }

  /** A result can be had. */
  give(number: number, deliver: () => void): void {
    this.#results.set(number, deliver);
    this.look();
  }

  /** Has `onTurn` called in the next turn. */
  look(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    later(() => {
      this.#isDue = false;
      // what goes on because of a result has gone on by the next turn
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
