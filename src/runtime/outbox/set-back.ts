/**
 * Notices that the platform's clock was set back, by hand or by the machine.
 *
 * What waits until a time would then wait for so much longer than it was meant to.
 */
export class SetBackWatch {
  #latest = -Infinity;

  /**
   * @param now By the platform's clock.
   * @returns By how many milliseconds it was set back since the last call; 0 when it was not.
   */
  since(now: number): number {
    const by = this.#latest - now;
    this.#latest = now;
    return by > JITTER_MS ? by : 0;
  }
}

/** Clocks that are kept in step are corrected by so much at a time. */
const JITTER_MS = 1_000;
