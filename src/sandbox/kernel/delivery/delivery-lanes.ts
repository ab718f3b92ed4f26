type Work = () => Promise<void>;

/**
 * Queues of deliveries: in order within a lane, lanes side by side.
 *
 * A lane that waits for a retry holds up only itself.
 */
export class DeliveryLanes {
  readonly #waiting = new Map<string, Work[]>();
  readonly #onError: (error: unknown) => void;

  /** @param onError Called with what failed work threw; its lane goes on. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Puts work at the end of a lane. Its promise resolves when the next may start. */
  add(lane: string, work: Work): void {
    const queue = this.#waiting.get(lane);
    if (queue !== undefined) {
      queue.push(work);
      return;
    }
    this.#waiting.set(lane, [work]);
    void this.#drain(lane);
  }

  /** Drops what waits, as a reset does. */
  clear(): void {
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
