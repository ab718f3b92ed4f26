import { StoreError } from "../errors.ts";

interface Waiting<In, Out> {
  readonly given: In;
  readonly weight: number;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Calls that wait go together into the next transaction, so that many share one sync of the server's disk.
 *
 * One at a time is under way. One call that no store can keep must not take the others with it: then each is tried
 * alone.
 */
export class Grouped<In, Out> {
  readonly #keep: (all: readonly In[]) => Promise<readonly Out[]>;
  readonly #weigh: (given: In) => number;
  #waiting: Waiting<In, Out>[] = [];
  #work: Promise<void> | undefined;

  /**
   * @param keep Keeps all or none, and answers each in order.
   * @param weigh How much of a transaction one takes: it is full at {@link MOST_WEIGHT}.
   */
  constructor(keep: (all: readonly In[]) => Promise<readonly Out[]>, weigh: (given: In) => number) {
    this.#keep = keep;
    this.#weigh = weigh;
  }

  add(given: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ given, weight: this.#weigh(given), resolve, reject });
      this.#work ??= this.#workOff();
    });
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#work;
  }

  async #workOff(): Promise<void> {
    // Those that are asked for in the same turn go together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#keepAll(this.#next());
    this.#work = undefined;
  }

  #next(): readonly Waiting<In, Out>[] {
    let [count, weight] = [0, 0];
    for (const one of this.#waiting) {
      weight += one.weight;
      if (count > 0 && weight > MOST_WEIGHT) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #keepAll(group: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const results = await this.#keep(group.map(({ given }) => given));
      for (const [place, { resolve, reject }] of group.entries()) {
        const result = results[place];
        if (result === undefined) reject(new Error("the store gave no answer"));
        else resolve(result);
      }
    } catch (error) {
      const alone = error instanceof StoreError && error.code === "store-data" && group.length > 1;
      if (!alone) for (const { reject } of group) reject(error);
      else for (const one of group) await this.#keepAll([one]);
    }
  }
}

const MOST_WEIGHT = 512;
