import type { Item } from "../store/item.ts";

/**
 * Fair order while not all items can go: lanes that have sent the fewest items come first, so that a lane with a
 * thousand items does not hold up the others.
 */
export class Turns {
  readonly #sent = new Map<string, number>();

  /** Returns items in the order of their turns, with answers before items that no person waits for. */
  ordered(items: readonly Item[]): readonly Item[] {
    return items.toSorted(
      (a, b) =>
        (a.priority ?? 0) - (b.priority ?? 0) || this.of(a.lane) - this.of(b.lane) || a.id - b.id,
    );
  }

  /** Returns how many items the lane has sent since the last time that all items could go. */
  of(lane: string): number {
    return this.#sent.get(lane) ?? 0;
  }

  sent(lane: string): void {
    this.#sent.set(lane, this.of(lane) + 1);
  }

  /** Resets the counts of all lanes, since all items could go. */
  reset(): void {
    this.#sent.clear();
  }
}
