import type { StepEnd } from "./record.ts";
import { errorOf } from "./step-end.ts";
import { ResultTurns } from "./turns.ts";

/** Counts the running work and the waits of a handler, and delivers results in order. */
export class UnderWay {
  readonly #turns: ResultTurns;
  #works = 0;
  #waits = 0;

  /**
   * @param last Number of the last recorded result.
   * @param onWaiting Called when the handler has no running work, and waits for something.
   */
  constructor(last: number, onWaiting: () => void) {
    this.#turns = new ResultTurns(last, () => {
      if (this.#waits > 0 && this.#works === 0 && this.#turns.size === 0) onWaiting();
    });
  }

  /** Number of the last delivered result. */
  get delivered(): number {
    return this.#turns.delivered;
  }

  /** Runs `work`, and counts it among the handler's running work until it has ended. */
  async during<R>(work: () => Promise<R>): Promise<R> {
    this.#works += 1;
    try {
      return await work();
    } finally {
      this.#works -= 1;
      this.#turns.look();
    }
  }

  /** Notes that the handler waits for a time, an answer or an event. */
  waitsFor(): void {
    this.#waits += 1;
    this.#turns.look();
  }

  /** Reserves the next number, for a result that has just become known. */
  reserve(): number {
    return this.#turns.reserve();
  }

  /** Calls `deliver` when all results with smaller numbers have been delivered. */
  inTurn(settled: number, deliver: () => void): void {
    this.#turns.give(settled, deliver);
  }

  /**
   * Returns a recorded result, or throws its error, when its turn comes.
   *
   * @param thrown Original thrown value, if known; the error gets its stack.
   */
  given<R>(settled: number, { value, error }: StepEnd, thrown?: unknown): Promise<R> {
    return new Promise((resolve, reject) => {
      this.inTurn(settled, () => {
        if (error !== undefined) reject(errorOf(error, thrown));
        // the recorded value has the type with which it was stored
        else resolve(value as R);
      });
    });
  }
}
