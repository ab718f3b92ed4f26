import { StoreError } from "../errors.ts";

interface Waiting<In, Out> {
  readonly call: In;
  readonly weight: number;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches waiting calls into one transaction, so that many calls share one sync of the server's disk.
 *
 * Runs a single transaction at a time. If a batch fails with `store-data`, each of its calls is retried alone, so that
 * only the calls with invalid data fail.
 */
export class Grouped<In, Out> {
  readonly #keep: (all: readonly In[]) => Promise<readonly Out[]>;
  readonly #weigh: (call: In) => number;
  #waiting: Waiting<In, Out>[] = [];
  #work: Promise<void> | undefined;

  /**
   * @param keep Stores a batch of calls, completely or not at all. Returns one result for each call, in order.
   * @param weigh Weight of a call. A transaction is full at {@link MAX_WEIGHT}.
   */
  constructor(keep: (all: readonly In[]) => Promise<readonly Out[]>, weigh: (call: In) => number) {
    this.#keep = keep;
    this.#weigh = weigh;
  }

  add(call: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, weight: this.#weigh(call), resolve, reject });
      this.#work ??= this.#workOff();
    });
  }

  /** Resolves once all waiting calls are stored or have failed. */
  async idle(): Promise<void> {
    await this.#work;
  }

  async #workOff(): Promise<void> {
    // Calls of the same turn of the event loop share a batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#keepAll(this.#next());
    this.#work = undefined;
  }

  #next(): readonly Waiting<In, Out>[] {
    let [count, weight] = [0, 0];
    for (const one of this.#waiting) {
      weight += one.weight;
      if (count > 0 && weight > MAX_WEIGHT) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #keepAll(group: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const results = await this.#keep(group.map(({ call }) => call));
      for (const [place, { resolve, reject }] of group.entries()) {
        const result = results[place];
        if (result === undefined) reject(new Error("the store returned no result"));
        else resolve(result);
      }
    } catch (error) {
      const alone = error instanceof StoreError && error.code === "store-data" && group.length > 1;
      if (!alone) for (const { reject } of group) reject(error);
      else for (const one of group) await this.#keepAll([one]);
    }
  }
}

const MAX_WEIGHT = 512;
