import type { StepEnd } from "./record.ts";
import { errorOf } from "./step-end.ts";
import { ResultTurns } from "./turns.ts";

/** What of a handler is under way, and what it waits for: its results come in their order. */
export class UnderWay {
  readonly #turns: ResultTurns;
  #works = 0;
  #waits = 0;

  /**
   * @param last The last number that was given before.
   * @param onWaiting Called when nothing but waits can take the handler on.
   */
  constructor(last: number, onWaiting: () => void) {
    this.#turns = new ResultTurns(last, () => {
      if (this.#waits > 0 && this.#works === 0 && this.#turns.size === 0) onWaiting();
    });
  }

  /** The number of the last result that the handler has got. */
  get delivered(): number {
    return this.#turns.delivered;
  }

  /** Something takes time that is no wait. */
  async during<R>(work: () => Promise<R>): Promise<R> {
    this.#works += 1;
    try {
      return await work();
    } finally {
      this.#works -= 1;
      this.#turns.look();
    }
  }

  /** It waits for one thing more. */
  waitsFor(): void {
    this.#waits += 1;
    this.#turns.look();
  }

  /** The number of what has ended just now. */
  reserve(): number {
    return this.#turns.reserve();
  }

  /** Has something done in the turn of a result. */
  inTurn(settled: number, deliver: () => void): void {
    this.#turns.give(settled, deliver);
  }

  /** What has ended, in its turn. */
  given<R>(settled: number, { value, error }: StepEnd, thrown?: unknown): Promise<R> {
    return new Promise((resolve, reject) => {
      this.inTurn(settled, () => {
        if (error !== undefined) reject(thrown ?? errorOf(error));
        // it is what was given when it was kept: the same type
        else resolve(value as R);
      });
    });
  }
}
