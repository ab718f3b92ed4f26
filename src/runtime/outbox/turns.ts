import type { Item } from "../store/item.ts";

/**
 * Whose turn it is while not all can go: lanes that sent least lately come first, so that a lane with a
 * thousand items does not hold up the others.
 */
export class Turns {
  readonly #sent = new Map<string, number>();

  /** Items in the order of their turns; answers before what nobody waits for. */
  ordered(items: readonly Item[]): readonly Item[] {
    return items.toSorted(
      (a, b) =>
        (a.priority ?? 0) - (b.priority ?? 0) || this.of(a.lane) - this.of(b.lane) || a.id - b.id,
    );
  }

  /** How many items the lane has sent since everybody could last go. */
  of(lane: string): number {
    return this.#sent.get(lane) ?? 0;
  }

  sent(lane: string): void {
    this.#sent.set(lane, this.of(lane) + 1);
  }

  /** Everybody could go: it begins anew. */
  reset(): void {
    this.#sent.clear();
  }
}
