/** A stretch of numbers, both ends included, and whom it belongs to. */
export interface Interval {
  readonly from: number;
  readonly to: number;
  readonly owner: number;
}

/** Finds all intervals in which a number lies, in the time that it takes to name them. */
export class IntervalIndex {
  /** By their beginning; as a tree, the root of a stretch of them is in its middle. */
  readonly #intervals: readonly Interval[];
  /** The greatest end in the tree under each. */
  readonly #furthest: Float64Array;

  constructor(intervals: readonly Interval[]) {
    this.#intervals = intervals.toSorted((a, b) => a.from - b.from);
    this.#furthest = new Float64Array(intervals.length);
    this.#measure(0, intervals.length - 1);
  }

  search(number: number, found: (owner: number) => void): void {
    this.#searchIn(0, this.#intervals.length - 1, number, found);
  }

  #measure(low: number, high: number): number {
    if (low > high) return -Infinity;
    const middle = (low + high) >> 1;
    const own = this.#intervals[middle]?.to ?? -Infinity;
    const furthest = Math.max(own, this.#measure(low, middle - 1), this.#measure(middle + 1, high));
    this.#furthest[middle] = furthest;
    return furthest;
  }

  #searchIn(low: number, high: number, number: number, found: (owner: number) => void): void {
    if (low > high) return;
    const middle = (low + high) >> 1;
    const root = this.#intervals[middle];
    if (root === undefined || (this.#furthest[middle] ?? -Infinity) < number) return;
    this.#searchIn(low, middle - 1, number, found);
    if (root.from > number) return;
    if (root.to >= number) found(root.owner);
    this.#searchIn(middle + 1, high, number, found);
  }
}
