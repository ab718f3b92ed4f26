/** Runs a limited number of tasks at once; the others wait, first come first served. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** @param permits Tasks that may run at once: an integer of 1 or more. */
  constructor(permits: number) {
    this.#free = permits;
  }

  /** Runs `task` when a permit is free, and returns its result. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
