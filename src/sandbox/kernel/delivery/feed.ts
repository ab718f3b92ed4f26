import { RecentItems } from "../../../system/recent-items.ts";

/** An event of the sandbox itself, as `GET /_sandbox/events` returns it. */
export interface FeedItem {
  /** 1 for the first, then one more each. */
  readonly seq: number;
  /** ISO 8601 by the sandbox's clock. */
  readonly at: string;
  readonly type: string;
  readonly data: unknown;
}

const CAPACITY = 5_000;

/** Events of the sandbox, published as they happen; the latest stay for subscribers that reconnect. */
export class Feed {
  readonly #now: () => number;
  readonly #subscribers = new Set<(item: FeedItem) => void>();
  readonly #items = new RecentItems<FeedItem>(CAPACITY);

  constructor(now: () => number) {
    this.#now = now;
  }

  publish(type: string, data: unknown): void {
    const at = new Date(this.#now()).toISOString();
    const item = this.#items.add((seq) => ({ seq, at, type, data }));
    for (const subscriber of this.#subscribers) subscriber(item);
  }

  /** Items still kept whose `seq` is above the given one. */
  after(seq: number): readonly FeedItem[] {
    return this.#items.after(seq);
  }

  /** Calls `subscriber` for every item from here on; returns a function that ends it. */
  subscribe(subscriber: (item: FeedItem) => void): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }
}
