/**
 * The latest of a numbered series, for listings and for listeners that come back after a break.
 *
 * Keeps at least `capacity` items and at most twice as many.
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

  /** Items still kept whose number is above `seq`, oldest first. */
  after(seq: number): readonly T[] {
    return this.#items.filter((item) => item.seq > seq);
  }

  /** Forgets the items; numbers go on. */
  clear(): void {
    this.#items = [];
  }
}
