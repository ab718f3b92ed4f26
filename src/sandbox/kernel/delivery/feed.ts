import { RecentItems } from "../../../system/recent-items.ts";

/** An event of the sandbox itself, as `GET /_sandbox/events` returns it. */
export interface FeedItem {
  /** Sequence number, from 1. */
  readonly seq: number;
  /** Time of the event in ISO 8601, by the sandbox's clock. */
  readonly at: string;
  readonly type: string;
  readonly data: unknown;
}

const CAPACITY = 5_000;

/** Maximum real time that a move of the sandbox's clock waits until slow subscribers have received its event. */
const TOLD_WITHIN_MS = 250;

/** Receives an event of the feed. The returned promise resolves once this process has sent the event. */
export type FeedSubscriber = (item: FeedItem) => Promise<void>;

/** Events of the sandbox, published as they happen; the latest are stored for subscribers that reconnect. */
export class Feed {
  readonly #now: () => number;
  readonly #subscribers = new Set<FeedSubscriber>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #items = new RecentItems<FeedItem>(CAPACITY);

  constructor(now: () => number) {
    this.#now = now;
  }

  publish(type: string, data: unknown): void {
    const at = new Date(this.#now()).toISOString();
    const item = this.#items.add((seq) => ({ seq, at, type, data }));
    for (const subscriber of this.#subscribers) {
      const delivery: Promise<void> = subscriber(item).finally(() =>
        this.#leaving.delete(delivery),
      );
      this.#leaving.add(delivery);
    }
  }

  /** Resolves when all items published so far have been sent to every subscriber, or after a short timeout. */
  async told(): Promise<void> {
    if (this.#leaving.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, TOLD_WITHIN_MS);
    });
    await Promise.race([Promise.all(this.#leaving), enough]);
    clearTimeout(timer);
  }

  /** Returns the stored items whose `seq` is above the argument. */
  after(seq: number): readonly FeedItem[] {
    return this.#items.after(seq);
  }

  /** Calls `subscriber` for every later item; returns a function that unsubscribes. */
  subscribe(subscriber: FeedSubscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }
}
