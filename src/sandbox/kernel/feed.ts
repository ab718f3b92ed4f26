/** Something that happened, as `GET /_sandbox/events` tells it. */
export interface FeedItem {
  /** 1 for the first, then one more each. */
  readonly seq: number;
  /** ISO 8601 by the sandbox's clock. */
  readonly at: string;
  readonly type: string;
  readonly data: unknown;
}

const KEPT = 5_000;

/** Everything as it happens; the last few thousand items stay for listeners that come back. */
export class Feed {
  readonly #now: () => number;
  readonly #listeners = new Set<(item: FeedItem) => void>();
  #items: FeedItem[] = [];
  #seq = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  tell(type: string, data: unknown): void {
    this.#seq += 1;
    const item = { seq: this.#seq, at: new Date(this.#now()).toISOString(), type, data };
    this.#items.push(item);
    if (this.#items.length > KEPT * 2) this.#items = this.#items.slice(-KEPT);
    for (const listener of this.#listeners) listener(item);
  }

  /** Items kept whose `seq` is above the given one. */
  after(seq: number): FeedItem[] {
    return this.#items.filter((item) => item.seq > seq);
  }

  /** Calls `listener` for every item from here on; gives a function that ends it. */
  listen(listener: (item: FeedItem) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
