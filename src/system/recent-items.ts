/**
 * The latest items of a numbered series, for lists and for listeners that reconnect.
 *
 * Keeps at least the last `capacity` items and at most twice as many.
 */
export class RecentItems<T extends { readonly seq: number }> {
  readonly #capacity: number;
  #items: T[] = [];
  #lastSeq = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Adds an item under the next number. */
  add(make: (seq: number) => T): T {
    this.#lastSeq += 1;
    const item = make(this.#lastSeq);
    this.#items.push(item);
    if (this.#items.length > this.#capacity * 2) this.#items = this.#items.slice(-this.#capacity);
    return item;
  }

  /** Stored items whose number is above `seq`, oldest first. */
  after(seq: number): readonly T[] {
    return this.#items.filter((item) => item.seq > seq);
  }

  /** Deletes the items. Numbers of later items continue the series. */
  clear(): void {
    this.#items = [];
  }
}
