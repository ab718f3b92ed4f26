import type { Item } from "../store/item.ts";

/**
 * Fair order of due items while limits delay some of them. Lanes that have sent the fewest items come first, so that a
 * lane with a thousand items does not hold up the others.
 */
export class Turns {
  readonly #sent = new Map<string, number>();
  /** Monotonic time until which items wait, by endpoint. */
  readonly #waits = new Map<string, number>();

  /**
   * Sorts items for sending: answers before items that no person waits for, then by the number of items that their lane
   * has sent, fewest first.
   */
  ordered(items: readonly Item[]): readonly Item[] {
    return items.toSorted(
      (a, b) =>
        (a.priority ?? 0) - (b.priority ?? 0) || this.of(a.lane) - this.of(b.lane) || a.id - b.id,
    );
  }

  /** Returns how many items the lane has sent since the last {@link reset}. */
  of(lane: string): number {
    return this.#sent.get(lane) ?? 0;
  }

  sent(lane: string): void {
    this.#sent.set(lane, this.of(lane) + 1);
  }

  /** Notes that an item has to wait for its endpoint, for `ms` milliseconds or until a request has ended. */
  delayed(endpoint: string, ms: number): void {
    const until = performance.now() + ms;
    this.#waits.set(endpoint, Math.max(until, this.#waits.get(endpoint) ?? until));
  }

  /** Whether items wait for the endpoint, so that a new item may not be sent before them. */
  isWaitedFor(endpoint: string): boolean {
    return this.#waits.has(endpoint);
  }

  /** Ends the waits that were over when a poll began which found all due items. @param at Time of that poll. */
  caughtUp(at: number): void {
    for (const [endpoint, until] of this.#waits) if (until < at) this.#waits.delete(endpoint);
  }

  /** Resets the counts of all lanes. To be called when no due item is left. */
  reset(): void {
    this.#sent.clear();
  }
}
