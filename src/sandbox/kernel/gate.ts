/** Lets so many through at once; the others wait their turn, first come first served. */
export class Gate {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** @param most Integer of 1 or more. */
  constructor(most: number) {
    this.#free = most;
  }

  /** Runs `work` when a place is free, and gives its result. */
  async through<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
