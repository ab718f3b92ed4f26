/** Range of numbers, both ends included, with its owner. */
export interface Interval {
  readonly from: number;
  readonly to: number;
  readonly owner: number;
}

/**
 * Finds all intervals that contain a number, in time proportional to the number of results and the logarithm of all
 * intervals.
 */
export class IntervalIndex {
  /** Intervals in order of their beginnings. They form a tree: the root of each section is its middle element. */
  readonly #intervals: readonly Interval[];
  /** Greatest end of the intervals in the subtree of each element. */
  readonly #furthest: Float64Array;

  constructor(intervals: readonly Interval[]) {
    this.#intervals = intervals.toSorted((a, b) => a.from - b.from);
    this.#furthest = new Float64Array(intervals.length);
    this.#measure(0, intervals.length - 1);
  }

  search(number: number, onOwner: (owner: number) => void): void {
    this.#searchIn(0, this.#intervals.length - 1, number, onOwner);
  }

  #measure(low: number, high: number): number {
    if (low > high) return -Infinity;
    const middle = (low + high) >> 1;
    const own = this.#intervals[middle]?.to ?? -Infinity;
    const furthest = Math.max(own, this.#measure(low, middle - 1), this.#measure(middle + 1, high));
    this.#furthest[middle] = furthest;
    return furthest;
  }

  #searchIn(low: number, high: number, number: number, onOwner: (owner: number) => void): void {
    if (low > high) return;
    const middle = (low + high) >> 1;
    const root = this.#intervals[middle];
    if (root === undefined || (this.#furthest[middle] ?? -Infinity) < number) return;
    this.#searchIn(low, middle - 1, number, onOwner);
    if (root.from > number) return;
    if (root.to >= number) onOwner(root.owner);
    this.#searchIn(middle + 1, high, number, onOwner);
  }
}
