type Work = () => Promise<void>;

/**
 * Queues of deliveries, called lanes. Deliveries are sequential within a lane and concurrent across lanes.
 *
 * A lane that waits for a retry delays only its own deliveries.
 */
export class DeliveryLanes {
  readonly #waiting = new Map<string, Work[]>();
  readonly #onError: (error: unknown) => void;

  /** @param onError Called with the error of failed work. The lane continues with its next work. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Appends work to a lane. The work starts when the promise of the lane's previous work resolves or rejects. */
  add(lane: string, work: Work): void {
    const queue = this.#waiting.get(lane);
    if (queue !== undefined) {
      queue.push(work);
      return;
    }
    this.#waiting.set(lane, [work]);
    void this.#drain(lane);
  }

  /** Drops all waiting work, as a reset does. */
  clear(): void {
    // A lane whose work is in progress finds an empty queue afterwards.
    for (const queue of this.#waiting.values()) queue.length = 0;
    this.#waiting.clear();
  }

  async #drain(lane: string): Promise<void> {
    const queue = this.#waiting.get(lane) ?? [];
    for (let work = queue[0]; work !== undefined; work = queue[0]) {
      await work().catch(this.#onError);
      queue.shift();
    }
    if (this.#waiting.get(lane) === queue) this.#waiting.delete(lane);
  }
}
